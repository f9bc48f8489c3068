import { DECLARATION_METADATA, type DeclaredService, type ServicesJson, servicesToJson } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import type { ApiObject, Chart } from "cdk8s";
import { inOrder, type Ordered } from "./chart/order.ts";
import { render } from "./chart/outputs.ts";
import { type Autoscaled, autoscaled, workloadKey } from "./chart/scaling.ts";
import { awaitAnnotations, timeouts } from "./chart/waiting.ts";
import { type DependsOn, withInherited } from "./depends-on.ts";
import { fill, type TokenValues } from "./fill.ts";
import type { HelmAddon } from "./helm-addon.ts";
import { KubernetesObject, type Manifest, type ManifestTransform, resourceName } from "./kubernetes-object.ts";
import { requireProvider } from "./provider.ts";

export interface Cdk8sChartArgs {
  /** Every object below it is deployed, those of nested charts too. */
  readonly chart: Chart;
  /**
   * Add-ons whose custom resources the chart uses: each such object waits for the release that brings its definition, and
   * on destroy goes before it.
   * @default - the definitions are in the cluster
   */
  readonly addons?: readonly HelmAddon[];
  /** Do not wait until workloads are ready. A failing rollout is then no failing deployment. @default false */
  readonly skipAwait?: boolean;
  /** Changes each manifest, last of all. @default - as the chart renders it */
  readonly transform?: ManifestTransform;
  /** What a single object waits for, besides what all of them do. @default - nothing */
  readonly after?: (object: ApiObject) => readonly pulumi.Resource[];
}

/**
 * A cdk8s chart as Pulumi resources, one for each object: a preview shows each, an unknown or secret value hides its own
 * field only, and objects are created in an order that works.
 *
 * Inputs of the objects may be Pulumi outputs and capstan refs at any depth. Resources are called
 * `<name>/<namespace>/<object>` and are of the type `kubernetes:<group>/<version>:<Kind>`; both are contract.
 *
 * ```ts
 * const chart = new Chart(new App(), "search", { namespace: "search" });
 * new VllmService(chart, "llama-8b", chat);
 * new Cdk8sChart("search", { chart }, { provider: cluster.provider });
 * ```
 *
 * The chart is complete then: a construct that is added to it afterwards is an error.
 *
 * What `dependsOn` in the options names is waited for by every object of the chart.
 */
export class Cdk8sChart extends pulumi.ComponentResource {
  /** The resource of each object of the chart. */
  readonly resources: ReadonlyMap<ApiObject, KubernetesObject>;

  constructor(name: string, args: Cdk8sChartArgs, opts?: pulumi.ComponentResourceOptions) {
    requireProvider(`Cdk8sChart "${name}"`, opts);
    super("capstan:kubernetes:Cdk8sChart", name, { declarations: declarationsOf(args.chart) }, opts);
    const { objects, values } = render(args.chart);
    const items = objects.map(({ object, manifest }) => ({
      object,
      manifest: final(object, manifest, args.transform),
    }));
    const context: Context = {
      component: this,
      name,
      values,
      scaled: autoscaled(items.map(({ manifest }) => manifest)),
      skipAwait: args.skipAwait ?? false,
      releases: releasesByKind(args.addons ?? []),
      before: opts?.dependsOn,
      after: args.after ?? (() => []),
      made: new Map(),
    };
    refuseTwins(
      items.map(({ manifest }) => manifest),
      name,
    );
    for (const item of inOrder(items)) context.made.set(item.object, register(item, context));
    this.resources = context.made;
    // What is added from now on would be neither planned nor deployed: constructs refuses it then.
    args.chart.node.lock();
    this.registerOutputs({});
  }
}

interface Context {
  readonly component: Cdk8sChart;
  readonly name: string;
  readonly values: TokenValues;
  readonly scaled: Autoscaled;
  readonly skipAwait: boolean;
  readonly releases: ReadonlyMap<string, pulumi.Resource>;
  readonly after: NonNullable<Cdk8sChartArgs["after"]>;
  readonly before: DependsOn | undefined;
  readonly made: Map<ApiObject, KubernetesObject>;
}

/** All objects of this process by their construct, so that one chart can depend on objects of another. */
const deployed = new WeakMap<ApiObject, KubernetesObject>();

function register(item: Ordered, context: Context): KubernetesObject {
  const { manifest } = item;
  const name = resourceName(context.name, manifest.metadata);
  const annotations = { ...manifest.metadata.annotations, ...awaitAnnotations(manifest, context.skipAwait) };
  const awaited: Manifest = {
    ...manifest,
    metadata: { ...manifest.metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
  };
  const customTimeouts = timeouts(manifest, context.scaled);
  const resource = new KubernetesObject(name, fill(awaited, context.values, name) as Manifest & pulumi.Inputs, {
    parent: context.component,
    dependsOn: dependencies(item, context),
    ...(customTimeouts === null ? {} : { customTimeouts }),
    // The autoscaler writes it; a deployment must not set it back.
    ...(context.scaled.has(workloadKey(manifest)) ? { ignoreChanges: ["spec.replicas"] } : {}),
  });
  deployed.set(item.object, resource);
  return resource;
}

function dependencies(item: Ordered, context: Context): DependsOn {
  const own: pulumi.Resource[] = item.after.map((object) => context.made.get(object)!);
  for (const object of item.foreign) {
    const resource = deployed.get(object);
    if (resource === undefined) {
      throw new Error(
        `${item.object.node.path} depends on ${object.node.path}, which is in a chart that is not deployed yet; ` +
          "make the Cdk8sChart of that chart first",
      );
    }
    own.push(resource);
  }
  const release = context.releases.get(`${item.manifest.apiVersion} ${item.manifest.kind}`);
  if (release) own.push(release);
  own.push(...context.after(item.object));
  return withInherited(own, context.before);
}

function final(object: ApiObject, manifest: Manifest, transform: ManifestTransform | undefined): Manifest {
  const changed = transform?.(manifest) ?? manifest;
  const { name, namespace } = changed.metadata;
  for (const [field, text] of Object.entries({ name, namespace } as Record<string, unknown>)) {
    if (text === undefined ? field === "namespace" : typeof text === "string" && !text.includes("${")) continue;
    throw new Error(
      `metadata.${field} of ${changed.kind} in ${object.node.path} is no plain string; it names the resource, so it cannot ` +
        "be something that is only known at deployment",
    );
  }
  return changed;
}

/** What plan, diff and policy rebuild the platform from: the resolved services of the chart, without a secret. */
function declarationsOf(chart: Chart): ServicesJson[] {
  const declared = chart.node
    .findAll()
    .flatMap((construct) => construct.node.metadata.filter(({ type }) => type === DECLARATION_METADATA))
    .map(({ data }) => data as DeclaredService);
  return servicesToJson(declared);
}

function releasesByKind(addons: readonly HelmAddon[]): Map<string, pulumi.Resource> {
  return new Map(addons.flatMap((addon) => addon.provides.map((kind) => [kind, addon.release] as const)));
}

function refuseTwins(manifests: readonly Manifest[], component: string): void {
  const seen = new Set<string>();
  for (const { apiVersion, kind, metadata } of manifests) {
    const id = `${apiVersion} ${kind} ${resourceName(component, metadata)}`;
    if (seen.has(id)) {
      throw new Error(
        `Cdk8sChart "${component}" has two objects ${kind} ${metadata.name}` +
          `${metadata.namespace === undefined ? "" : ` in namespace ${metadata.namespace}`}; the second would overwrite the first`,
      );
    }
    seen.add(id);
  }
}
