import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { ProgramError } from "./errors.ts";
import { recordInProcess } from "./record-in-process.ts";
import type { RecordedResource, Recording } from "./recording.ts";

class Thing extends pulumi.CustomResource {
  declare readonly arn: pulumi.Output<string>;
  declare readonly size: pulumi.Output<number>;
  declare readonly password: pulumi.Output<string>;

  constructor(name: string, inputs: Record<string, unknown> = {}, options?: pulumi.CustomResourceOptions) {
    super("test:index:Thing", name, { arn: undefined, size: undefined, password: undefined, ...inputs }, options);
  }
}

class Group extends pulumi.ComponentResource {
  constructor(name: string, declaration: object, options?: pulumi.ComponentResourceOptions) {
    super("test:index:Group", name, { declaration }, options);
    new Thing(`${name}-child`, {}, { parent: this });
    this.registerOutputs();
  }
}

const at = { project: "shop", stack: "dev" };
const urn = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
const thing = (name: string) => urn("test:index:Thing", name);

function named(recording: Recording, name: string): RecordedResource {
  const found = recording.resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`no resource is named ${name}`);
  return found;
}

test("records every resource with type, parent and inputs, sorted by URN, and the outputs", async () => {
  const recording = await recordInProcess(at, () => {
    new Thing("b", { size: 2 });
    new Group("a", { labels: { team: "search" } });
    return { done: true };
  });
  const stack = urn("pulumi:pulumi:Stack", "shop-dev");
  const group = urn("test:index:Group", "a");
  expect(recording).toEqual({
    ...at,
    resources: [
      { urn: stack, type: "pulumi:pulumi:Stack", name: "shop-dev", custom: false, parent: "", inputs: {}, options: {} },
      {
        urn: urn("test:index:Group$test:index:Thing", "a-child"),
        type: "test:index:Thing",
        name: "a-child",
        custom: true,
        parent: group,
        inputs: {},
        options: {},
      },
      {
        urn: group,
        type: "test:index:Group",
        name: "a",
        custom: false,
        parent: stack,
        inputs: { declaration: { labels: { team: "search" } } },
        options: {},
      },
      {
        urn: thing("b"),
        type: "test:index:Thing",
        name: "b",
        custom: true,
        parent: stack,
        inputs: { size: 2 },
        options: {},
      },
    ],
    outputs: { done: true },
    logs: [],
  });
});

test("secrets, also nested ones, and values of other resources are named, not shown", async () => {
  const recording = await recordInProcess(at, () => {
    const source = new Thing("source", { size: 2 });
    new Thing("user", {
      token: pulumi.secret("hunter2"),
      nested: { list: [1, pulumi.secret({ deep: "hunter3" })], open: true },
      arn: source.arn,
      id: source.id,
      size: source.size,
      text: pulumi.interpolate`${source.arn}/*`,
      both: pulumi.all([source.arn, pulumi.secret("x")]).apply(([arn, x]) => arn + x),
      peer: source,
    });
    return { arn: source.arn, token: pulumi.secret("hunter4") };
  });
  expect(named(recording, "user").inputs).toEqual({
    token: "[secret]",
    nested: { list: [1, "[secret]"], open: true },
    arn: "[unknown]",
    size: 2,
    text: "[unknown]",
    both: "[secret]",
    peer: thing("source"),
  });
  expect(recording.outputs).toEqual({ arn: "[unknown]", token: "[secret]" });
  expect(JSON.stringify(recording)).not.toContain("hunter");
});

test("what is declared a secret output is hidden as an input, and from those who use it", async () => {
  const recording = await recordInProcess(at, () => {
    const options = { additionalSecretOutputs: ["password"] };
    const typed = new Thing("typed", { password: "hunter2" }, options);
    const made = new Thing("made", {}, options);
    new Thing("user", { a: typed.password, b: made.password });
  });
  expect(named(recording, "typed").inputs).toEqual({ password: "[secret]" });
  expect(named(recording, "user").inputs).toEqual({ a: "[secret]", b: "[secret]" });
  expect(JSON.stringify(recording)).not.toContain("hunter2");
});

test("records the options that are set", async () => {
  const recording = await recordInProcess(at, () => {
    const provider = new (class extends pulumi.ProviderResource {})("test", "eu", { region: "eu-central-1" });
    const first = new Thing("first");
    const second = new Thing("second");
    const options: pulumi.CustomResourceOptions = {
      provider,
      protect: true,
      dependsOn: [second, first],
      ignoreChanges: ["size"],
      replaceOnChanges: ["zones"],
      customTimeouts: { create: "40m", delete: "1h" },
      aliases: [{ name: "former" }, { type: "test:index:Old", parent: pulumi.rootStackResource }, thing("older")],
      version: "1.2.3",
      pluginDownloadURL: "https://plugins.example",
      deleteBeforeReplace: true,
      retainOnDelete: true,
      deletedWith: first,
      replaceWith: [second],
      import: "existing-1",
    };
    new Thing("user", { arn: first.arn }, options);
    new Group("group", {}, { providers: [provider] });
  });
  const stack = urn("pulumi:pulumi:Stack", "shop-dev");
  expect(named(recording, "user").options).toEqual({
    provider: urn("pulumi:providers:test", "eu"),
    protect: true,
    dependsOn: [thing("first"), thing("second")],
    propertyDependencies: { arn: [thing("first")] },
    ignoreChanges: ["size"],
    replaceOnChanges: ["zones"],
    customTimeouts: { create: "40m", delete: "1h" },
    aliases: [{ name: "former", parent: stack }, { type: "test:index:Old", parent: "" }, thing("older")],
    version: "1.2.3",
    pluginDownloadURL: "https://plugins.example",
    deleteBeforeReplace: true,
    retainOnDelete: true,
    deletedWith: thing("first"),
    replaceWith: [thing("second")],
    import: "existing-1",
  });
  expect(named(recording, "eu")).toMatchObject({ type: "pulumi:providers:test", inputs: { region: "eu-central-1" } });
  expect(named(recording, "group").options).toEqual({ providers: { test: urn("pulumi:providers:test", "eu") } });
  expect(named(recording, "group-child").options).toEqual({ provider: urn("pulumi:providers:test", "eu") });
});

test("an explicit false for deleteBeforeReplace is recorded: it overrides the provider's own choice", async () => {
  const recording = await recordInProcess(at, () => new Thing("a", {}, { deleteBeforeReplace: false }));
  expect(named(recording, "a").options).toEqual({ deleteBeforeReplace: false });
});

test("runs transforms: the resource's own, then its parent's, then the stack's", async () => {
  const recording = await recordInProcess(at, () => {
    const append =
      (mark: string): pulumi.ResourceTransform =>
      ({ props, opts }) => ({
        props: { ...props, marks: [...(props.marks ?? []), mark] },
        opts: { ...opts, protect: true },
      });
    pulumi.runtime.registerResourceTransform(({ type, props, opts }) =>
      type === "test:index:Thing" ? append("stack")({ props, opts } as pulumi.ResourceTransformArgs) : undefined,
    );
    const parent = new Thing("parent", { token: pulumi.secret("hunter2") }, { transforms: [append("parent's")] });
    new Thing("child", {}, { parent, transforms: [append("first"), append("second")] });
  });
  expect(named(recording, "child").inputs).toEqual({ marks: ["first", "second", "parent's", "stack"] });
  expect(named(recording, "child").options.protect).toBe(true);
  expect(named(recording, "parent").inputs).toEqual({ marks: ["parent's", "stack"], token: "[secret]" });
});

test("older transformations run as well", async () => {
  const recording = await recordInProcess(at, () => {
    new Group("group", {}, { transformations: [({ props, opts }) => ({ props: { ...props, size: 7 }, opts })] });
  });
  expect(named(recording, "group-child").inputs).toEqual({ size: 7 });
});

test("an existing resource is recorded by the id that it is read by; its state is unknown", async () => {
  const recording = await recordInProcess(at, () => {
    const found = new Thing("found", {}, { id: "id-7" });
    new Thing("user", { arn: found.arn, from: found.id });
    new Thing("found-later", {}, { id: found.arn });
  });
  expect(named(recording, "found").options).toEqual({ read: "id-7" });
  expect(named(recording, "user").inputs).toEqual({ arn: "[unknown]", from: "id-7" });
  expect(named(recording, "found-later").options).toMatchObject({ read: "[unknown]" });
});

test("a stack reference has the outputs that are given, and unknown ones otherwise", async () => {
  const program = () => {
    const network = new pulumi.StackReference("acme/network/dev");
    const elsewhere = new pulumi.StackReference("dns", { name: "acme/dns/dev" });
    new Thing("user", {
      vpc: network.requireOutput("vpcId"),
      token: network.getOutput("token"),
      absent: network.getOutput("absent"),
      zone: elsewhere.requireOutput("zone"),
    });
  };
  const network = { vpcId: "vpc-1", token: "[secret]" };
  const recording = await recordInProcess({ ...at, stackReferences: { "acme/network/dev": network } }, program);
  expect(named(recording, "user").inputs).toEqual({ vpc: "vpc-1", token: "[secret]", zone: "[unknown]" });
  expect(named(recording, "dns")).toMatchObject({
    type: "pulumi:pulumi:StackReference",
    inputs: { name: "acme/dns/dev" },
    options: { read: "acme/dns/dev" },
  });
  const missing = recordInProcess({ ...at, stackReferences: { "acme/network/dev": {} } }, program);
  await expect(missing).rejects.toThrow("Required output 'vpcId' does not exist on stack 'acme/network/dev'");
});

test("one recording's outputs serve as another's stack reference", async () => {
  const reading = (outputs: Recording["outputs"]) =>
    recordInProcess({ ...at, stackReferences: { "acme/a/dev": outputs } }, () => {
      const other = new pulumi.StackReference("acme/a/dev");
      new Thing("user", { from: other.getOutput("id"), token: other.getOutput("token"), n: other.getOutput("n") });
    });
  const { outputs } = await recordInProcess(at, () => ({ id: "i-1", token: pulumi.secret("hunter2"), n: 3 }));
  expect(named(await reading(outputs), "user").inputs).toEqual({ from: "i-1", token: "[secret]", n: 3 });
  // Pulumi computes nothing from a value that is unknown in part, so one unknown output hides the others.
  const partly = await recordInProcess(at, () => ({ id: new Thing("a").id, token: pulumi.secret("hunter2"), n: 3 }));
  expect(named(await reading(partly.outputs), "user").inputs).toEqual({
    from: "[unknown]",
    token: "[secret]",
    n: "[unknown]",
  });
});

test("project, stack, organization and configuration are the given ones", async () => {
  const options = {
    ...at,
    organization: "acme",
    config: { size: "3", "aws:region": "x", token: "t" },
    secretConfig: ["token"],
  };
  const { outputs } = await recordInProcess(options, () => {
    const config = new pulumi.Config();
    return {
      at: [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack(), pulumi.runtime.isDryRun()],
      size: config.requireNumber("size"),
      region: new pulumi.Config("aws").get("region"),
      token: config.requireSecret("token"),
    };
  });
  expect(outputs).toEqual({ at: ["acme", "shop", "dev", true], size: 3, region: "x", token: "[secret]" });
});

test("recordings follow each other in one process and know nothing of each other", async () => {
  // Suites share a process, and one before may have left a monitor.
  const before = pulumi.runtime.hasMonitor();
  const program = (size: string) =>
    recordInProcess({ ...at, stack: size, config: { size } }, () => {
      new Thing("a");
      return { size: new pulumi.Config().get("size"), other: new pulumi.Config().get("other") ?? "none" };
    });
  const [first, second] = await Promise.all([program("1"), program("2")]);
  expect([first!.stack, first!.outputs, first!.resources.length]).toEqual(["1", { size: "1", other: "none" }, 2]);
  expect([second!.stack, second!.outputs, second!.resources.length]).toEqual(["2", { size: "2", other: "none" }, 2]);
  expect(pulumi.runtime.hasMonitor()).toBe(before);
});

test("the order of registration does not show", async () => {
  const names = ["c", "a", "d", "b"];
  const record = (order: string[]) =>
    recordInProcess(at, async () => {
      for (const name of order) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        new Thing(name, { z: 1, a: { y: name, b: 2 } });
      }
    });
  const forwards = JSON.stringify(await record(names));
  expect(JSON.stringify(await record(names.toReversed()))).toBe(forwards);
  expect(JSON.stringify(await record(names))).toBe(forwards);
});

test("as after a deployment: ids are known and outputs are the inputs", async () => {
  const recording = await recordInProcess({ ...at, preview: false }, () => {
    const source = new Thing("source", { size: 2 });
    new Thing("user", { from: source.id, size: source.size });
  });
  expect(named(recording, "user").inputs).toEqual({ from: "source-id", size: 2 });
});

test("an adopted resource has the id that it is adopted by", async () => {
  const recording = await recordInProcess(at, () => {
    new Thing("user", { from: new Thing("adopted", {}, { import: "i-1" }).id });
  });
  expect(named(recording, "user").inputs).toEqual({ from: "i-1" });
});

test("a component of a provider plugin is recorded with a warning that its inside is not", async () => {
  const recording = await recordInProcess(at, () => {
    const cluster = new pulumi.ComponentResource(
      "eks:index:Cluster",
      "main",
      { version: "1.34", core: undefined },
      {},
      true,
    );
    new Thing("user", { core: (cluster as unknown as { core: pulumi.Output<string> }).core });
  });
  expect(named(recording, "main")).toMatchObject({
    custom: false,
    inputs: { version: "1.34" },
    options: { remote: true },
  });
  expect(named(recording, "user").inputs).toEqual({ core: "[unknown]" });
  expect(recording.logs).toEqual([
    {
      severity: "warning",
      message:
        'eks:index:Cluster "main" is built by a provider plugin: the resources inside it are not part of this plan',
      urn: urn("eks:index:Cluster", "main"),
    },
  ]);
});

test("keeps what the program logs, but for debugging", async () => {
  const { logs } = await recordInProcess(at, async () => {
    const source = new Thing("source");
    await pulumi.log.info("first");
    await pulumi.log.debug("not for anyone");
    await pulumi.log.warn("second", source);
    await pulumi.log.error("third");
    await pulumi.log.info("passing", undefined, undefined, true);
  });
  expect(logs).toEqual([
    { severity: "info", message: "first", urn: "" },
    { severity: "warning", message: "second", urn: thing("source") },
    { severity: "error", message: "third", urn: "" },
  ]);
});

test("a resource handed on as an input comes back as the resource that it is", async () => {
  pulumi.runtime.registerResourceModule("test", "index", {
    version: "1.0.0",
    construct: (name, _type, ref) => new Thing(name, {}, { urn: ref } as pulumi.CustomResourceOptions),
  });
  const recording = await recordInProcess(at, () => {
    const source = new Thing("source", { size: 5 });
    const holder = new Thing("holder", { size: source });
    const size = (holder.size as unknown as pulumi.Output<Thing>).apply((it) => it.size);
    new Thing("user", { size });
  });
  expect(named(recording, "user").inputs).toEqual({ size: 5 });
  expect(recording.resources).toHaveLength(4);
});

test("what a program throws is the error, with the original as its cause", async () => {
  const original = Object.assign(new Error("the model does not fit"), { findings: [1] });
  const error = await recordInProcess(at, () => {
    throw original;
  }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ProgramError);
  expect(error).toMatchObject({ name: "ProgramError", message: "the model does not fit" });
  expect((error as Error).cause).toBe(original);
});

test.each<[string, () => unknown, RegExp]>([
  ["an asynchronous program", async () => Promise.reject(new Error("late")), /^late$/],
  ["text instead of an error", () => Promise.reject("only text"), /^only text$/],
  [
    "a slip, with its place in the file",
    () => (undefined as unknown as { arn: string }).arn,
    /^Cannot read properties of undefined \(reading 'arn'\) \(.*record-in-process\.test\.ts:\d+:\d+\)$/,
  ],
  [
    "a rejected input",
    () => new Thing("lonely", { size: Promise.reject(new Error("no size known")) }),
    /^test:index:Thing "lonely": error serializing property "size": no size known$/,
  ],
  [
    "a rejected output",
    () =>
      new Thing("a", {
        arn: new Thing("b").size.apply(() => {
          throw new Error("never here");
        }),
        size: pulumi.output(1).apply(() => {
          throw new Error("in apply");
        }),
      }),
    /in apply$/,
  ],
  [
    "an invoke",
    () => pulumi.runtime.invoke("aws:ec2/getAmi:getAmi", { owner: "self" }),
    /^the program calls the provider function aws:ec2\/getAmi:getAmi, which a plan cannot answer .* as stack configuration or as a constant/,
  ],
  [
    "an invoke whose failure the program hides",
    () => pulumi.runtime.invoke("aws:ec2/getAmi:getAmi", {}).catch(() => "fallback"),
    /aws:ec2\/getAmi:getAmi/,
  ],
  [
    "an invoke that only an input waits for",
    () => new Thing("a", { size: pulumi.runtime.invokeOutput("aws:ec2/getAmi:getAmi", {}) }),
    /aws:ec2\/getAmi:getAmi/,
  ],
  [
    "a method call",
    () => new Thing("a", { size: pulumi.runtime.call("eks:index:Cluster/getKubeconfig", {}) }),
    /calls eks:index:Cluster\/getKubeconfig, a method/,
  ],
  [
    "a name used twice",
    () => [new Thing("same"), new Thing("same")],
    /^two resources of type test:index:Thing are named "same" \(urn:.*\): give one/,
  ],
  [
    "a failing transform",
    () =>
      new Thing(
        "a",
        {},
        {
          transforms: [
            () => {
              throw new Error("no way");
            },
          ],
        },
      ),
    /transform failed: Error: no way/,
  ],
  [
    "a recording inside",
    () => recordInProcess(at, () => {}),
    /^recordInProcess was called by a program that is being recorded itself$/,
  ],
  [
    "missing configuration",
    () => new pulumi.Config().require("team"),
    /^Missing required configuration variable 'shop:team'/,
  ],
])("fails for %s", async (_name, program, message) => {
  const before = process.listenerCount("unhandledRejection");
  await expect(recordInProcess(at, program)).rejects.toThrow(message);
  expect(process.listenerCount("unhandledRejection")).toBe(before);
  // The next one is not touched by it.
  expect((await recordInProcess(at, () => new Thing("fine"))).resources).toHaveLength(2);
});

test("an invoke with unknown inputs is not asked, and its result is unknown", async () => {
  const recording = await recordInProcess(at, () => {
    const { arn } = new Thing("source");
    new Thing("user", {
      ami: pulumi.runtime.invokeOutput<{ id: string }>("aws:ec2/getAmi:getAmi", { arn }).apply((ami) => ami.id),
    });
  });
  expect(named(recording, "user").inputs).toEqual({ ami: "[unknown]" });
});

test("a program that waits for ever is told what for", async () => {
  const options = { ...at, timeoutSeconds: 0.05 };
  await expect(recordInProcess(options, () => new Thing("waiting", { size: new Promise(() => {}) }))).rejects.toThrow(
    'the program did not end within 0.05 s: an input, parent or dependency of these resources never gets a value: test:index:Thing "waiting"',
  );
  await expect(recordInProcess(options, () => new Promise(() => {}))).rejects.toThrow(
    "waits for a promise that never settles",
  );
});
