import { gpuPool, onQueue, type PlatformProps, vllm } from "@capstan/core";

/** Services on one pool: a platform of a thousand services has a hundred pools. */
const SERVICES_PER_POOL = 10;
const TEAMS = 20;

/** A platform of vLLM services as users have them: scaled by queue, with traffic, on pools of their own size. */
export function platformOfSize(services: number): PlatformProps {
  const pools = Array.from({ length: Math.ceil(services / SERVICES_PER_POOL) }, (_, i) =>
    gpuPool({
      name: `l40s-${i}`,
      instanceType: "g6e.2xlarge",
      size: { min: 0, max: 4 * SERVICES_PER_POOL },
      localStorage: "raid0",
    }),
  );
  return {
    environment: "dev",
    region: "us-east-1",
    pools,
    services: Array.from({ length: services }, (_, i) =>
      vllm({
        name: `chat-${i}`,
        team: `team-${i % TEAMS}`,
        model: "Qwen/Qwen3-4B",
        pool: pools[Math.floor(i / SERVICES_PER_POOL)]!,
        maxModelLen: 8192,
        scaling: onQueue({ min: 1, max: 4 }),
        traffic: { requestsPerDay: 10_000, promptTokens: 600, outputTokens: 200 },
      }),
    ),
  };
}
