import type { Addon } from "@capstan/addons";
import { Release } from "@pulumi/kubernetes/helm/v3/release.js";
import * as pulumi from "@pulumi/pulumi";
import { type DependsOn, withInherited } from "./depends-on.ts";
import { editableCopy } from "./editable-copy.ts";
import { fill } from "./fill.ts";
import { addonNamespace } from "./namespace.ts";
import { requireProvider } from "./provider.ts";

export interface HelmAddonArgs<Values extends object = object> {
  readonly addon: Addon<Values>;
  /**
   * The namespace, where something else makes it.
   * @default - made by this component, with the pod security standard of the add-on
   */
  readonly namespace?: pulumi.Resource;
  /** Changes the values, last of all: edit them in place, or return others. @default - as the add-on has them */
  // biome-ignore lint/suspicious/noConfusingVoidType: an in-place edit is written as a function without return.
  readonly transform?: (values: Values) => Values | void;
}

/**
 * An add-on as a Helm release: its hooks run, Pulumi waits until its objects are ready, and a release that fails is taken
 * back. Definitions of custom resources come with the release or from an add-on of their own.
 *
 * ```ts
 * const keda = new HelmAddon("keda", { addon: keda(platform) }, { provider: cluster.provider });
 * ```
 *
 * What `dependsOn` in the options names is waited for by the namespace and the release.
 */
export class HelmAddon<Values extends object = object> extends pulumi.ComponentResource {
  readonly release: Release;
  /** For another add-on in the same namespace. */
  readonly namespace: pulumi.Resource;
  /** Custom resources that can be created once the release is there, as `group/version Kind`. */
  readonly provides: readonly string[];

  constructor(name: string, args: HelmAddonArgs<Values>, opts?: pulumi.ComponentResourceOptions) {
    requireProvider(`HelmAddon "${name}"`, opts);
    super("capstan:kubernetes:HelmAddon", name, { addon: identityOf(args.addon) }, opts);
    this.provides = args.addon.providesKinds;
    this.namespace = args.namespace ?? addonNamespace(name, args.addon.namespace, { parent: this, ...before(opts) });
    this.release = createRelease(name, args, {
      parent: this,
      dependsOn: withInherited([this.namespace], opts?.dependsOn),
    });
    this.registerOutputs({});
  }
}

/** Never the values: a `transform` may put a secret into them. */
function identityOf({ name, chart, releaseName, namespace }: Addon): pulumi.Inputs {
  return { name, chart: chart.chart, version: chart.version, releaseName, namespace: namespace.name };
}

function before(opts: pulumi.ComponentResourceOptions | undefined): { dependsOn?: DependsOn } {
  return opts?.dependsOn === undefined ? {} : { dependsOn: opts.dependsOn };
}

function createRelease<Values extends object>(
  name: string,
  { addon, transform }: HelmAddonArgs<Values>,
  opts: pulumi.CustomResourceOptions,
): Release {
  const { chart } = addon;
  const copy = editableCopy(addon.values);
  const values = transform?.(copy) ?? copy;
  return new Release(
    name,
    {
      chart: chart.chart,
      version: chart.version,
      // An OCI chart is named by its whole reference.
      ...(chart.repository === null ? {} : { repositoryOpts: { repo: chart.repository } }),
      name: addon.releaseName,
      namespace: addon.namespace.name,
      createNamespace: false,
      values: fill(values, () => undefined, `values of ${name}`) as pulumi.Inputs,
      skipCrds: addon.crds === "own-release",
      // A half-installed release would block every later one.
      atomic: true,
      cleanupOnFail: true,
      waitForJobs: true,
      timeout: addon.timeoutSeconds,
      maxHistory: 5,
    },
    opts,
  );
}
