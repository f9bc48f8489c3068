import { MockMonitor } from "@pulumi/pulumi/runtime/mocks.js";
import * as settings from "@pulumi/pulumi/runtime/settings.js";
import { runInPulumiStack } from "@pulumi/pulumi/runtime/stack.js";

/** One registered resource, with what Pulumi's own mocks do not show: the options. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly parent: string;
  readonly inputs: Record<string, unknown>;
  readonly protect: boolean;
  readonly ignoreChanges: readonly string[];
  readonly dependsOn: readonly string[];
  readonly timeouts: { readonly create: string; readonly update: string; readonly delete: string } | null;
  readonly provider: string;
}

interface Request {
  getType(): string;
  getName(): string;
  getParent(): string;
  getObject(): { toJavaScript(): Record<string, unknown> } | undefined;
  getProtect(): boolean | undefined;
  getIgnorechangesList(): string[];
  getDependenciesList(): string[];
  getProvider(): string;
  getCustomtimeouts(): { getCreate(): string; getUpdate(): string; getDelete(): string } | undefined;
}

class Recorder extends MockMonitor {
  readonly registered: Registered[] = [];

  constructor() {
    super({
      call: ({ token }) => {
        throw new Error(`invoke ${token}: nothing may be looked up`);
      },
      newResource: ({ type, name, inputs }) => ({
        id: `${name}-id`,
        state: { ...inputs, ...outputsOf(type, name, inputs as Record<string, unknown>) },
      }),
    });
  }

  override async registerResource(request: Request, callback: (error: unknown, response: unknown) => void) {
    const inputs = request.getObject()?.toJavaScript() ?? {};
    const timeouts = request.getCustomtimeouts();
    this.registered.push({
      type: request.getType(),
      name: request.getName(),
      urn: `urn:pulumi:test::test::${request.getType()}::${request.getName()}`,
      parent: request.getParent(),
      inputs,
      protect: request.getProtect() ?? false,
      ignoreChanges: request.getIgnorechangesList(),
      dependsOn: request.getDependenciesList(),
      timeouts: timeouts
        ? { create: timeouts.getCreate(), update: timeouts.getUpdate(), delete: timeouts.getDelete() }
        : null,
      provider: request.getProvider(),
    });
    return super.registerResource(request, callback);
  }
}

/** What AWS would answer, where a program reads it. */
function outputsOf(type: string, name: string, inputs: Record<string, unknown>): Record<string, unknown> {
  switch (type) {
    case "aws:eks/cluster:Cluster":
      return {
        arn: `arn:aws:eks:eu-central-1:111122223333:cluster/${inputs.name}`,
        endpoint: "https://0123456789ABCDEF.gr7.eu-central-1.eks.amazonaws.com",
        certificateAuthority: { data: "Q0EtREFUQQ==" },
        identities: [{ oidcs: [{ issuer: "https://oidc.eks.eu-central-1.amazonaws.com/id/0123456789ABCDEF" }] }],
        vpcConfig: { ...(inputs.vpcConfig as object), clusterSecurityGroupId: "sg-cluster", vpcId: "vpc-1" },
      };
    case "aws:ec2/launchTemplate:LaunchTemplate":
      return { latestVersion: 7 };
    case "aws:eks/nodeGroup:NodeGroup":
      return {
        nodeGroupName: `${inputs.nodeGroupNamePrefix}20260101`,
        resources: [{ autoscalingGroups: [{ name: `eks-${name}-asg` }] }],
      };
    case "aws:iam/role:Role":
      return { name, arn: `arn:aws:iam::111122223333:role/${name}` };
    case "aws:ec2/placementGroup:PlacementGroup":
      return { name: `${name}-group` };
    default:
      return { arn: `arn:aws:test:::${name}` };
  }
}

/** Runs a program with nothing but a monitor that writes down what it registers. */
export async function record(program: () => void, options: { readonly preview?: boolean } = {}): Promise<Registered[]> {
  const monitor = new Recorder();
  settings.setMockOptions(monitor, "test", "test", options.preview ?? false, "test");
  // Mock options forget what the monitor supports: secrets would then arrive in clear and aliases not at all.
  await (settings as unknown as { awaitFeatureSupport(): Promise<void> }).awaitFeatureSupport();
  let failure: { readonly error: unknown } | null = null;
  await runInPulumiStack(async () => {
    try {
      program();
    } catch (error) {
      failure = { error };
    }
  });
  // Before anything is thrown: what is under way would otherwise reach the next test's monitor.
  await settings.disconnect();
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
  // Registration waits for inputs, so its order says nothing.
  return monitor.registered.sort((a, b) => (a.urn < b.urn ? -1 : 1));
}

/** The only resource of a type, or of that type and name. */
export function only(registered: readonly Registered[], type: string, name?: string): Registered {
  const found = registered.filter((it) => it.type === type && (name === undefined || it.name === name));
  if (found.length !== 1) {
    const all = registered.map((it) => `${it.type} ${it.name}`).join("\n");
    throw new Error(`${found.length} resources of type ${type}${name ? ` called ${name}` : ""}; there are\n${all}`);
  }
  return found[0]!;
}

export function ofType(registered: readonly Registered[], type: string): Registered[] {
  return registered.filter((it) => it.type === type);
}
