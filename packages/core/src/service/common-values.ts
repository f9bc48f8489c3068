import type { Cache } from "../cache/props.ts";
import type { ResolveContext } from "../context.ts";
import { hub, type ModelSource } from "../model/source.ts";
import type { WeightsPath } from "../plan/cold-start.ts";
import type { OriginLog } from "../provenance.ts";
import { isRef } from "../ref.ts";
import { fixed, type Scaling } from "../scaling/props.ts";
import type { CommonServiceProps, IngressNamespaces, Traffic } from "./common-props.ts";
import type { ResolvedCache, ResolvedModel, ResolvedService, ResolvedSource } from "./resolved.ts";

/** What GPU and CPU services resolve in the same way. */
export interface CommonValues {
  readonly namespace: string;
  readonly servedModelName: string;
  readonly scaling: Scaling;
  readonly traffic: Required<Traffic> | null;
  readonly ingressNamespaces: IngressNamespaces;
}

export function commonValues(
  props: CommonServiceProps & { readonly servedModelName?: string },
  model: ResolvedModel,
  context: ResolveContext,
  origins: OriginLog,
): CommonValues {
  return {
    namespace: origins.orDerived("namespace", props.namespace, () => props.team, ["team"], "one namespace a team"),
    servedModelName: origins.orDerived(
      "servedModelName",
      props.servedModelName,
      () => model.id,
      ["model"],
      "clients name the model by its id",
    ),
    scaling: origins.orDefault("scaling", props.scaling, fixed(1), "one replica, which nobody scales"),
    traffic: props.traffic ? resolveTraffic(props.traffic, origins) : null,
    ingressNamespaces: origins.orDerived(
      "ingressNamespaces",
      props.ingressNamespaces,
      () => context.ingressNamespaces,
      ["context"],
      "what the platform says for every service; nothing: its own namespace alone",
    ),
  };
}

function resolveTraffic(traffic: Traffic, origins: OriginLog): Required<Traffic> {
  const peakToMean = origins.orDefault(
    "traffic.peakToMean",
    traffic.peakToMean,
    3,
    "the busiest hour of an office day",
  );
  return { ...traffic, peakToMean };
}

/** Where the weights come from: a node cache brings its own source. */
export function sourceOf(
  props: { readonly cache?: Cache; readonly source?: ModelSource },
  origins: OriginLog,
): ModelSource {
  return props.cache?.kind === "nvme-cache"
    ? origins.derived("source", props.cache.source, ["cache"], "the cache is filled from its own source")
    : origins.orDefault("source", props.source, hub(), "the repository that the catalog knows for the model");
}

/** How the weights reach the server, for its cold start. */
export function weightsOf(
  cache: ResolvedCache | null,
  source: ResolvedSource,
): { readonly weightsPath: WeightsPath; readonly cacheFill: ResolvedSource["kind"] | null } {
  if (cache === null) return { weightsPath: source.kind, cacheFill: null };
  return cache.kind === "nvme"
    ? { weightsPath: "nvme", cacheFill: source.kind }
    : { weightsPath: "network-volume", cacheFill: null };
}

/** Values of the source that are known only at deployment. */
export function refsOf(source: ResolvedSource): ResolvedService["refs"] {
  return source.kind === "s3" && isRef(source.bucket) ? [source.bucket] : [];
}

/** Variables from Secrets. A server whose weights are on the node needs no token of the hub. */
export function secretVariables(
  props: CommonServiceProps,
  source: ResolvedSource,
  cached: boolean,
): ResolvedService["secretEnvironment"] {
  return [
    ...(!cached && source.kind === "hub" && source.token !== null ? [{ name: "HF_TOKEN", secret: source.token }] : []),
    ...(props.secretEnvironmentVariables ?? []),
  ];
}
