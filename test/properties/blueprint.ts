import { cpuPool, existingPool, gpuPool, kubecost, onnx, type PlatformProps, type Pool, vllm } from "@capstan/core";

export type Props = Readonly<Record<string, unknown>>;

export interface PoolShape {
  readonly make: keyof typeof makePool;
  readonly props: Props;
}

export interface ServiceShape {
  readonly make: keyof typeof makeService;
  /** Which of the pools. */
  readonly pool: number;
  readonly props: Props;
}

/** A platform as plain data, so that it can be made twice, and once with its keys in another order. */
export interface Blueprint {
  readonly environment: string;
  readonly region: string;
  readonly costTool: boolean;
  readonly pools: readonly PoolShape[];
  readonly services: readonly ServiceShape[];
}

/** What makes no difference to what is declared. */
export interface Order {
  readonly keys: <T>(value: T) => T;
  readonly pools: <T>(pools: readonly T[]) => readonly T[];
}

const asWritten: Order = { keys: (value) => value, pools: (pools) => pools };

/** Every object's keys from the last to the first, and the pools too. */
export const reversed: Order = { keys: reversedKeys, pools: (pools) => [...pools].reverse() };

export const makePool = {
  gpu: (props: Props): Pool => gpuPool(props as never),
  cpu: (props: Props): Pool => cpuPool(props as never),
  existing: (props: Props): Pool => existingPool(props as never),
};

const makeService = {
  vllm: (props: Props) => vllm(props as never),
  onnx: (props: Props) => onnx(props as never),
};

export function build(blueprint: Blueprint, order: Order = asWritten): PlatformProps {
  const { environment, region, costTool } = blueprint;
  const pools = blueprint.pools.map(({ make, props }) => makePool[make](order.keys(props)));
  const services = blueprint.services.map(({ make, pool, props }) =>
    makeService[make]({ ...order.keys(props), pool: pools[pool] }),
  );
  return {
    environment,
    region,
    pools: order.pools(pools),
    services,
    ...(costTool ? { cost: kubecost({ clusterId: "c" }) } : {}),
  };
}

function reversedKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversedKeys) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, reversedKeys(child)]),
  ) as T;
}
