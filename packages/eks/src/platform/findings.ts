import type { Finding, ResolvedPlatform, SecretKey } from "@capstan/core";
import type { Cluster } from "../cluster/cluster.ts";
import type { ClusterFeatures } from "../cluster/features.ts";
import { finding, listed } from "../findings.ts";

/** What a platform and the cluster that it goes to do not agree on. */
export function platformFindings(
  platform: ResolvedPlatform,
  cluster: Pick<Cluster, "region" | "kubernetes" | "features">,
): Finding[] {
  return [...contradictions(platform, cluster), ...missingFeatures(platform, cluster.features)];
}

/** Prices, images and the autoscaler follow the platform's figures, the nodes the cluster's. */
function contradictions(platform: ResolvedPlatform, cluster: Pick<Cluster, "region" | "kubernetes">): Finding[] {
  const { region, kubernetes } = platform.context;
  const pairs = [
    { what: "region", platform: region, cluster: cluster.region },
    { what: "kubernetes", platform: kubernetes, cluster: cluster.kubernetes },
  ];
  return pairs
    .filter((pair) => pair.platform !== null && pair.platform !== pair.cluster)
    .map((pair) =>
      finding(
        "error",
        {
          id: `cluster.${pair.what}.differs`,
          path: `platform.${pair.what}`,
          message: `the platform says ${pair.platform}, the cluster ${pair.cluster}`,
          remedy: `leave ${pair.what} out of the platform, or make both the same`,
        },
        {},
      ),
    );
}

interface Need {
  readonly feature: keyof ClusterFeatures;
  readonly title: string;
  /** Who needs it; empty: nobody. */
  readonly by: readonly string[];
  readonly consequence: string;
  readonly severity: "error" | "warning";
}

function missingFeatures(platform: ResolvedPlatform, has: ClusterFeatures): Finding[] {
  return needs(platform)
    .filter(({ feature, by }) => by.length > 0 && !has[feature])
    .map(({ feature, title, by, consequence, severity }) =>
      finding(
        severity,
        {
          id: "cluster.feature.missing",
          path: `cluster.has.${feature}`,
          message: `the cluster has no ${title}, which ${listed(by)} ${by.length > 1 ? "need" : "needs"}: ${consequence}`,
          remedy: `install it and say \`${feature}: true\` in \`has\``,
        },
        {},
      ),
    );
}

function needs(platform: ResolvedPlatform): Need[] {
  const { addons, services } = platform;
  const storage = [
    ...(addons.monitoring.mode === "install"
      ? [{ who: "Prometheus", storageClass: addons.monitoring.storageClass }]
      : []),
    ...(addons.kubecost ? [{ who: "Kubecost", storageClass: addons.kubecost.storageClass }] : []),
  ];
  return [
    {
      feature: "metricsServer",
      title: "metrics-server",
      by: services.filter(({ scaling }) => scaling.by === "hpa").map(({ name }) => name),
      consequence: "an autoscaler without CPU figures never scales",
      severity: "error",
    },
    {
      feature: "ebsCsi",
      title: "EBS CSI driver",
      by: storage.map(({ who }) => who),
      consequence: "their volume claims stay pending",
      severity: "error",
    },
    {
      feature: "gp3StorageClass",
      title: 'storage class "gp3"',
      by: storage.filter(({ storageClass }) => storageClass === "gp3").map(({ who }) => who),
      consequence: "their volume claims stay pending",
      severity: "error",
    },
    {
      feature: "podIdentityAgent",
      title: "Pod Identity agent",
      by: [
        ...(addons.clusterAutoscaler === "install" ? ["cluster-autoscaler"] : []),
        ...s3Readers(platform).map(({ name }) => name),
      ],
      consequence: "their pods get no AWS credentials",
      severity: "error",
    },
    {
      feature: "networkPolicy",
      title: "enforcement of network policies",
      by: services.map(({ name }) => name),
      consequence: "every pod of the cluster can reach the model servers",
      severity: "warning",
    },
  ];
}

/**
 * Secrets that nobody reads, and keys that somebody reads and that are not there. `PlatformServices` would refuse them
 * too, but only when the node groups have been registered.
 */
export function secretFindings(
  platform: ResolvedPlatform,
  secrets: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Finding[] {
  const read = secretsRead(platform);
  const names = [...new Set(read.map(({ secretName }) => secretName))];
  const unused = Object.keys(secrets)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      id: "platform.secrets.unused",
      path: `secrets.${name}`,
      message: `no service and no cache reads the secret "${name}"; they read ${names.length > 0 ? listed(names) : "none"}`,
      remedy: "leave it out, or write the name as the source's token has it",
    }));
  const missing = read
    .filter(({ secretName, key }) => secrets[secretName] !== undefined && !(key in secrets[secretName]))
    .map(({ secretName, key }) => ({
      id: "platform.secrets.key-missing",
      path: `secrets.${secretName}`,
      message: `has no key "${key}", which is read`,
      remedy: `add ${key}`,
    }));
  const once = new Map([...unused, ...missing].map((text) => [`${text.path} ${text.message}`, text]));
  return [...once.values()].map((text) => finding("error", text, {}));
}

function secretsRead(platform: ResolvedPlatform): SecretKey[] {
  return [
    ...platform.services.flatMap(({ secretEnvironment }) => secretEnvironment.map(({ secret }) => secret)),
    ...platform.preloaders.flatMap(({ models }) =>
      models.flatMap(({ source }) => (source.kind === "hub" && source.token ? [source.token] : [])),
    ),
  ];
}

/** A service account that downloads models from S3. */
export interface S3Reader {
  /** Name of the preloader or service. */
  readonly name: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly sources: readonly S3Location[];
}

export type S3Location = Extract<ResolvedPlatform["services"][number]["source"], { readonly kind: "s3" }>;

/** Preloaders read for their pool; a service without cache reads for itself. */
export function s3Readers(platform: ResolvedPlatform): S3Reader[] {
  const preloaders = platform.preloaders.map(({ name, namespace, serviceAccount, models }) => ({
    name,
    namespace,
    serviceAccount,
    sources: models.map(({ source }) => source).filter((source) => source.kind === "s3"),
  }));
  const services = platform.services
    .filter(({ cache }) => cache === null)
    .map(({ name, namespace, source }) => ({
      name,
      namespace,
      serviceAccount: name,
      sources: source.kind === "s3" ? [source] : [],
    }));
  return [...preloaders, ...services].filter(({ sources }) => sources.length > 0);
}
