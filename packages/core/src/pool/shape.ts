import * as z from "zod";

const acknowledge = z.record(z.string(), z.string()).optional();
const count = z.number().int();
const size = z.strictObject({ min: count, max: count, desired: count.optional() });
const taint = z.strictObject({
  key: z.string(),
  value: z.string().optional(),
  effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
});
const capacity = z.union([
  z.enum(["on-demand", "spot"]),
  z.strictObject({ kind: z.enum(["capacity-block", "reservation"]), reservationId: z.string() }),
]);
const sharing = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("whole") }),
  z.strictObject({
    kind: z.literal("mig"),
    layout: z.union([z.string(), z.record(z.string(), count)]),
    strategy: z.enum(["mixed", "single"]),
  }),
  z.strictObject({ kind: z.literal("time-slicing"), replicas: count, rename: z.boolean() }),
  z.strictObject({ kind: z.literal("mps"), replicas: count }),
]);

const common = {
  name: z.string(),
  size,
  capacity: capacity.optional(),
  amiFamily: z.enum(["al2023", "bottlerocket", "ubuntu"]).optional(),
  localStorage: z.enum(["none", "raid0"]).optional(),
  taints: z.array(taint).optional(),
  usdPerHour: z.number().positive().optional(),
  acknowledge,
};

const managed = {
  ...common,
  zones: z.array(z.string()).optional(),
  amiRelease: z.string().optional(),
  amiId: z.string().optional(),
  rootVolumeGib: count.optional(),
  labels: z.record(z.string(), z.string()).optional(),
};

export const gpuPoolShape = z.strictObject({
  ...managed,
  instanceType: z.string(),
  alternativeInstanceTypes: z.array(z.string()).optional(),
  sharing: sharing.optional(),
  efa: z.boolean().optional(),
  untainted: z.boolean().optional(),
});

export const cpuPoolShape = z.strictObject({
  ...managed,
  instanceTypes: z.array(z.string()).min(1),
  cpuManager: z.enum(["none", "static"]).optional(),
  dedicated: z.boolean().optional(),
});

export const existingPoolShape = z.strictObject({
  ...common,
  instanceType: z.string(),
  nodeSelector: z.record(z.string(), z.string()),
  sharing: sharing.optional(),
  cpuManager: z.enum(["none", "static"]).optional(),
});
