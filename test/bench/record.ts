// The same platform through the recording monitor, as `capstan plan` has it: node record.ts COUNT
import { EksCluster, InferencePlatform } from "@capstan/eks";
import { planDocument, recordInProcess } from "@capstan/offline";
import { platformOfSize } from "./platform-of-size.ts";

export interface RecordFigures {
  readonly services: number;
  readonly resources: number;
  readonly recordMs: number;
  readonly planMs: number;
  readonly peakMib: number;
}

const services = Number(process.argv[2]);
const started = performance.now();
const recording = await recordInProcess({ project: "bench", stack: "dev", timeoutSeconds: 300 }, () => {
  const cluster = new EksCluster("bench", { region: "us-east-1", vpc: { zones: ["a", "b"] } });
  new InferencePlatform("bench", { cluster, platform: platformOfSize(services) });
});
const recorded = performance.now();
const { resources } = planDocument(recording);
const figures: RecordFigures = {
  services,
  resources: resources.length,
  recordMs: recorded - started,
  planMs: performance.now() - recorded,
  peakMib: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(JSON.stringify(figures));
