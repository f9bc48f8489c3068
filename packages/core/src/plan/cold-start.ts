/** Seconds from "one more replica is wanted" to "it answers", when nothing is warm. */
export interface ColdStart {
  readonly nodeSeconds: number;
  readonly imageSeconds: number;
  readonly weightsSeconds: number;
  readonly engineSeconds: number;
  readonly totalSeconds: { readonly low: number; readonly expected: number; readonly high: number };
  /** A node with the image and the weights on it is there already. */
  readonly warmNodeSeconds: number;
  /** Weights and engine at their slowest, without a node or image: what a startup probe must allow. */
  readonly startupBudgetSeconds: number;
  readonly assumptions: readonly string[];
}

export type WeightsPath = "hub" | "s3" | "nvme" | "network-volume";
export type StartingEngine = "vllm" | "ovms" | "triton" | "tei" | "custom";

export interface ColdStartInput {
  readonly engine: StartingEngine;
  readonly gpuNode: boolean;
  readonly mig: boolean;
  /** Compressed size of the image; null: not known, counted as 5 GiB. */
  readonly imageGib: number | null;
  readonly weightsGib: number;
  readonly weightsPath: WeightsPath;
  /** Where an NVMe cache is filled from. */
  readonly cacheFill: "hub" | "s3" | null;
  /** Network of the node, Gbit/s; null: not known, counted as 10. */
  readonly networkGbps: number | null;
  readonly nvmeDisks: number;
  readonly enforceEager: boolean;
}

interface Band {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

/**
 * Rates and durations, as seen in public reports up to 2026-08. None was measured by this project: each is a band, and
 * the plan shows the band.
 */
const ASSUMED = {
  cpuNodeSeconds: { low: 45, expected: 75, high: 150 },
  gpuNodeSeconds: { low: 90, expected: 150, high: 300 },
  /** MIG mode, instances and the device plugin's restart. */
  migSeconds: { low: 30, expected: 90, high: 240 },
  /** Pull and unpack of a compressed GiB: containerd unpacks one layer at a time. */
  imageGibPerSecond: { low: 0.06, expected: 0.12, high: 0.25 },
  hubGibPerSecond: { low: 0.05, expected: 0.2, high: 0.8 },
  s3GibPerSecond: { low: 0.2, expected: 0.6, high: 2 },
  nvmeGibPerSecondPerDisk: { low: 0.5, expected: 1, high: 2 },
  networkVolumeGibPerSecond: { low: 0.1, expected: 0.25, high: 0.6 },
  /** From disk cache to the device: vLLM logged 11 s for 12.6 GiB on an H100. */
  deviceGibPerSecond: { low: 0.8, expected: 1.5, high: 4 },
  /** Imports, profiling, torch.compile and graph capture of vLLM: 17 to 60 s of engine start and 15 to 30 s before it. */
  vllmSeconds: { low: 30, expected: 60, high: 150 },
  vllmEagerSeconds: { low: 20, expected: 30, high: 60 },
  cpuServerSeconds: { low: 4, expected: 12, high: 45 },
} as const satisfies Record<string, Band>;

const UNKNOWN_IMAGE_GIB = 5;
const UNKNOWN_NETWORK_GBPS = 10;
/** Part of the line rate that one download reaches. */
const NETWORK_SHARE = 0.7;

export function coldStart(input: ColdStartInput): ColdStart {
  const node = add(
    input.gpuNode ? ASSUMED.gpuNodeSeconds : ASSUMED.cpuNodeSeconds,
    input.mig ? ASSUMED.migSeconds : { low: 0, expected: 0, high: 0 },
  );
  const image = seconds(input.imageGib ?? UNKNOWN_IMAGE_GIB, ASSUMED.imageGibPerSecond);
  const read = readWeights(input);
  const fill = fillCache(input);
  const engine = engineStart(input);
  const weights = add(read, fill);
  // The preloader fills the cache while the image is pulled; a pod waits for the longer of the two.
  const fetch = input.weightsPath === "nvme" ? add(longer(image, fill), read) : add(image, read);
  const total = add(add(node, fetch), engine);
  return {
    nodeSeconds: node.expected,
    imageSeconds: Math.round(image.expected),
    weightsSeconds: Math.round(weights.expected),
    engineSeconds: engine.expected,
    totalSeconds: round(total),
    warmNodeSeconds: Math.round((input.weightsPath === "nvme" ? read : weights).expected + engine.expected),
    startupBudgetSeconds: Math.ceil(read.high + engine.high),
    assumptions: assumptions(input),
  };
}

function readWeights(input: ColdStartInput): Band {
  const toDevice = seconds(input.weightsGib, ASSUMED.deviceGibPerSecond);
  const source = seconds(input.weightsGib, limited(rate(input), input));
  return input.engine === "vllm" ? add(source, toDevice) : source;
}

function rate(input: ColdStartInput): Band {
  switch (input.weightsPath) {
    case "hub":
      return ASSUMED.hubGibPerSecond;
    case "s3":
      return ASSUMED.s3GibPerSecond;
    case "network-volume":
      return ASSUMED.networkVolumeGibPerSecond;
    case "nvme":
      return scale(ASSUMED.nvmeGibPerSecondPerDisk, Math.max(1, Math.min(4, input.nvmeDisks)));
  }
}

function fillCache(input: ColdStartInput): Band {
  if (input.weightsPath !== "nvme" || input.cacheFill === null) return { low: 0, expected: 0, high: 0 };
  const source = input.cacheFill === "s3" ? ASSUMED.s3GibPerSecond : ASSUMED.hubGibPerSecond;
  return seconds(input.weightsGib, limited(source, { ...input, weightsPath: input.cacheFill }));
}

function engineStart(input: ColdStartInput): Band {
  if (input.engine !== "vllm") return ASSUMED.cpuServerSeconds;
  return input.enforceEager ? ASSUMED.vllmEagerSeconds : ASSUMED.vllmSeconds;
}

/** No download is faster than the node's network. */
function limited(band: Band, input: Pick<ColdStartInput, "weightsPath" | "networkGbps">): Band {
  if (input.weightsPath === "nvme") return band;
  const line = ((input.networkGbps ?? UNKNOWN_NETWORK_GBPS) * NETWORK_SHARE) / 8.59;
  return { low: Math.min(band.low, line), expected: Math.min(band.expected, line), high: Math.min(band.high, line) };
}

/** A slow rate takes the longest: low and high change places. */
function seconds(gib: number, gibPerSecond: Band): Band {
  return { low: gib / gibPerSecond.high, expected: gib / gibPerSecond.expected, high: gib / gibPerSecond.low };
}

function add(a: Band, b: Band): Band {
  return { low: a.low + b.low, expected: a.expected + b.expected, high: a.high + b.high };
}

function longer(a: Band, b: Band): Band {
  return { low: Math.max(a.low, b.low), expected: Math.max(a.expected, b.expected), high: Math.max(a.high, b.high) };
}

function scale(a: Band, by: number): Band {
  return { low: a.low * by, expected: a.expected * by, high: a.high * by };
}

function round(a: Band): Band {
  return { low: Math.round(a.low), expected: Math.round(a.expected), high: Math.round(a.high) };
}

function assumptions(input: ColdStartInput): string[] {
  const list = [
    "node, image, download and engine times are bands from public reports, not measurements of this platform",
  ];
  if (input.imageGib === null) list.push(`image size not known: counted as ${UNKNOWN_IMAGE_GIB} GiB compressed`);
  if (input.networkGbps === null) list.push(`network not known: counted as ${UNKNOWN_NETWORK_GBPS} Gbit/s`);
  return list;
}
