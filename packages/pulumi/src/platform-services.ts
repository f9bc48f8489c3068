import { type AddonCluster, addonsFor, type PlatformAddon } from "@capstan/addons";
import {
  ModelCache,
  type ModelCacheTransform,
  Namespaces,
  type NamespacesTransform,
  OnnxService,
  type ServiceTransform,
  VllmService,
} from "@capstan/cdk8s";
import {
  platformToJson,
  type ResolveContext,
  type ResolvedPlatform,
  type ResolvedService,
  ref,
  throwOnErrors,
} from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { type ApiObject, App, Chart } from "cdk8s";
import type { IConstruct } from "constructs";
import { type AddonTransforms, transformFor } from "./addon-transforms.ts";
import { Cdk8sChart } from "./cdk8s-chart.ts";
import { type DependsOn, withInherited } from "./depends-on.ts";
import { HelmAddon } from "./helm-addon.ts";
import type { KubernetesObject, ManifestTransform } from "./kubernetes-object.ts";
import { addonNamespace } from "./namespace.ts";
import { namespacesOf } from "./platform-namespaces.ts";
import { requireProvider } from "./provider.ts";
import { createSecrets, type SecretValues, secretsByNamespace } from "./secrets.ts";

/** One entry for each kind of child; applied last. */
export interface PlatformServicesTransform {
  readonly namespaces?: NamespacesTransform;
  readonly secret?: ManifestTransform;
  readonly addons?: AddonTransforms;
  readonly modelCaches?: ModelCacheTransform;
  /** Called for every service; the manifest says which. */
  readonly services?: ServiceTransform;
}

export interface PlatformServicesArgs {
  readonly platform: ResolvedPlatform;
  readonly cluster: {
    /** Name of the EKS cluster, by which the autoscaler finds its groups. */
    readonly name: pulumi.Input<string>;
    /** AWS region. @default - the autoscaler takes it from its pod identity */
    readonly region?: string;
  };
  /**
   * Values of the Secrets that services refer to, by secret name and key: `{ "hf-token": { token } }`. Each is made in
   * every namespace that refers to it, and its values are secret in state, whatever they were before.
   * @default - the Secrets are in the namespaces already
   */
  readonly secrets?: SecretValues;
  /**
   * What makes the nodes, by the name of the pool. Objects of a service wait for those of its own pool and for no others,
   * so a pool that gets no capacity holds up nobody else's services; add-ons and caches wait for none.
   * @default - the nodes are there already
   */
  readonly nodes?: ReadonlyMap<string, pulumi.Resource>;
  /** @default - the children stay as rendered */
  readonly transform?: PlatformServicesTransform;
}

/**
 * Everything of a platform that runs inside a cluster, in an order that works: namespaces and secrets, add-ons (the
 * definitions of custom resources before what uses them), model caches, services.
 *
 * ```ts
 * new PlatformServices("inference", { platform: all, cluster: { name: "prod-eu" } }, { provider });
 * ```
 *
 * Names of the children are contract: `<name>-namespaces`, `<name>-<add-on>`, `<name>-model-caches`,
 * `<name>-services-<namespace>`, and `<name>/<namespace>/<secret>`.
 */
export class PlatformServices extends pulumi.ComponentResource {
  /** Add-ons that were installed, by name. */
  readonly addons: ReadonlyMap<string, HelmAddon>;
  readonly namespaces: Cdk8sChart;
  /** Null where no service has a node cache. */
  readonly modelCaches: Cdk8sChart | null;
  /** The services of each namespace. */
  readonly services: ReadonlyMap<string, Cdk8sChart>;

  constructor(name: string, args: PlatformServicesArgs, opts?: pulumi.ComponentResourceOptions) {
    requireProvider(`PlatformServices "${name}"`, opts);
    const { platform } = args;
    throwOnErrors(`platform ${platform.name}`, platform.findings);
    const nodes = args.nodes ?? new Map<string, pulumi.Resource>();
    refuseUnknownPools(platform, nodes);
    const addons = addonsFor(platform, addonCluster(args.cluster));
    const namespaces = namespacesOf(platform, addons);
    const secrets = secretsByNamespace(platform, args.secrets ?? {});
    super("capstan:kubernetes:PlatformServices", name, { platform: platformToJson(platform) }, opts);
    const transform = args.transform ?? {};
    const scope: Scope = { name, component: this, platform, transform, nodes, before: opts?.dependsOn };

    this.namespaces = createNamespaces(scope, namespaces);
    const ready = new Map(namespaces.map(({ name }) => [name, [namespaceResource(this.namespaces, name)]]));
    for (const secret of createSecrets(name, secrets, (at) => ready.get(at)!, this, scope.transform.secret)) {
      ready.get(secret.namespace)!.push(secret.resource);
    }
    this.addons = createAddons(scope, addons);
    this.modelCaches = createModelCaches(scope, ready);
    this.services = createServices(scope, ready, this.addons);
    this.registerOutputs({});
  }
}

interface Scope {
  readonly name: string;
  readonly component: PlatformServices;
  readonly platform: ResolvedPlatform;
  readonly transform: PlatformServicesTransform;
  readonly nodes: ReadonlyMap<string, pulumi.Resource>;
  readonly before: DependsOn | undefined;
}

/** What has to be there before anything goes into a namespace. */
type Ready = ReadonlyMap<string, readonly pulumi.Resource[]>;

function refuseUnknownPools(platform: ResolvedPlatform, nodes: ReadonlyMap<string, pulumi.Resource>): void {
  const pools = platform.pools.map(({ name }) => name);
  const unknown = [...nodes.keys()].filter((name) => !pools.includes(name));
  if (unknown.length === 0) return;
  throw new Error(`nodes: ${unknown.join(", ")} is no pool of the platform; its pools are ${pools.join(", ")}`);
}

function addonCluster({ name, region }: PlatformServicesArgs["cluster"]): AddonCluster {
  return { name: typeof name === "string" ? name : ref("cluster-name", name), region: region ?? null };
}

function createNamespaces(scope: Scope, namespaces: ReturnType<typeof namespacesOf>): Cdk8sChart {
  const chart = newChart("namespaces");
  new Namespaces(chart, "namespaces", { namespaces, transform: scope.transform.namespaces ?? {} });
  return new Cdk8sChart(
    `${scope.name}-namespaces`,
    { chart },
    { parent: scope.component, dependsOn: withInherited([], scope.before) },
  );
}

function namespaceResource(chart: Cdk8sChart, name: string): KubernetesObject {
  const isIt = (object: ApiObject) => object.kind === "Namespace" && object.name === name;
  return [...chart.resources].find(([object]) => isIt(object))![1];
}

function createAddons(scope: Scope, addons: readonly PlatformAddon[]): Map<string, HelmAddon> {
  const made = new Map<string, HelmAddon>();
  const namespaces = new Map<string, KubernetesObject>();
  const opts = { parent: scope.component, dependsOn: withInherited([], scope.before) };
  for (const addon of addons) {
    const namespace = namespaces.get(addon.namespace.name) ?? addonNamespace(scope.name, addon.namespace, opts);
    namespaces.set(addon.namespace.name, namespace);
    const releases = addon.dependsOn.map((name) => made.get(name)!.release);
    const helmAddon = new HelmAddon(
      `${scope.name}-${addon.name}`,
      { addon, namespace, ...transformFor(addon.name, scope.transform.addons) },
      { parent: scope.component, dependsOn: withInherited(releases, scope.before) },
    );
    made.set(addon.name, helmAddon);
  }
  return made;
}

/** Not waited for: a node that is being filled must not hold up the deployment, and the services wait for it themselves. */
function createModelCaches(scope: Scope, ready: Ready): Cdk8sChart | null {
  const { preloaders } = scope.platform;
  if (preloaders.length === 0) return null;
  const chart = newChart("model-caches");
  for (const preloader of preloaders) {
    new ModelCache(chart, preloader.name, { preloader, transform: scope.transform.modelCaches ?? {} });
  }
  const first = [...new Set(preloaders.map(({ namespace }) => namespace))].flatMap((at) => ready.get(at)!);
  return new Cdk8sChart(
    `${scope.name}-model-caches`,
    { chart, skipAwait: true },
    { parent: scope.component, dependsOn: withInherited(first, scope.before) },
  );
}

/** Add-ons without which a pod of a service cannot become ready. */
const NEEDED_BY_PODS = ["cluster-autoscaler", "gpu-operator"];

function createServices(scope: Scope, ready: Ready, addons: ReadonlyMap<string, HelmAddon>): Map<string, Cdk8sChart> {
  const runsPods = NEEDED_BY_PODS.flatMap((name) => addons.get(name)?.release ?? []);
  const made = new Map<string, Cdk8sChart>();
  for (const { name: namespace } of scope.platform.namespaces) {
    const chart = newChart(namespace);
    const nodes = new Map<IConstruct, pulumi.Resource>();
    for (const service of scope.platform.services.filter((s) => s.namespace === namespace)) {
      const construct = createService(chart, service, scope.platform.context, scope.transform.services ?? {});
      const own = scope.nodes.get(service.pool.name);
      if (own !== undefined) nodes.set(construct, own);
    }
    const after = (object: ApiObject) => object.node.scopes.flatMap((above) => nodes.get(above) ?? []);
    const first = [...ready.get(namespace)!, ...runsPods];
    made.set(
      namespace,
      new Cdk8sChart(
        `${scope.name}-services-${namespace}`,
        { chart, addons: [...addons.values()], after },
        { parent: scope.component, dependsOn: withInherited(first, scope.before) },
      ),
    );
  }
  return made;
}

function createService(
  chart: Chart,
  service: ResolvedService,
  context: ResolveContext,
  transform: ServiceTransform,
): IConstruct {
  return service.kind === "vllm"
    ? new VllmService(chart, service.name, { service, context, transform })
    : new OnnxService(chart, service.name, { service, context, transform });
}

/** An app of its own for each: the components are what relates them. */
function newChart(id: string): Chart {
  return new Chart(new App(), id, { disableResourceNameHashes: true });
}
