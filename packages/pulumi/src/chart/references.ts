import type { Manifest } from "../kubernetes-object.ts";

/** A workload's pod template with what the rules here read of it. */
interface PodSpec {
  readonly serviceAccountName?: unknown;
  readonly priorityClassName?: unknown;
  readonly runtimeClassName?: unknown;
  readonly volumes?: readonly Volume[];
  readonly imagePullSecrets?: readonly { readonly name?: unknown }[];
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
}

interface Volume {
  readonly configMap?: { readonly name?: unknown };
  readonly secret?: { readonly secretName?: unknown };
  readonly persistentVolumeClaim?: { readonly claimName?: unknown };
  readonly projected?: { readonly sources?: readonly { readonly configMap?: Named; readonly secret?: Named }[] };
}

interface Named {
  readonly name?: unknown;
}

interface Container {
  readonly env?: readonly {
    readonly valueFrom?: { readonly configMapKeyRef?: Named; readonly secretKeyRef?: Named };
  }[];
  readonly envFrom?: readonly { readonly configMapRef?: Named; readonly secretRef?: Named }[];
  readonly startupProbe?: {
    readonly initialDelaySeconds?: number;
    readonly periodSeconds?: number;
    readonly failureThreshold?: number;
  };
}

export interface PodTemplate {
  readonly labels: Readonly<Record<string, unknown>>;
  readonly spec: PodSpec;
}

/** Kinds that the chart's own objects are looked up by: `Kind namespace/name`, without namespace for cluster objects. */
export type Key = string;

export function key(kind: string, namespace: string | undefined, name: unknown): Key {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${String(name)}`;
}

export function podTemplate(manifest: Manifest): PodTemplate | null {
  const spec = manifest.spec as
    | {
        template?: { metadata?: { labels?: Record<string, unknown> }; spec?: PodSpec };
        jobTemplate?: { spec?: unknown };
      }
    | undefined;
  if (manifest.kind === "Pod")
    return { labels: manifest.metadata.labels ?? {}, spec: (manifest.spec ?? {}) as PodSpec };
  if (manifest.kind === "CronJob") return podTemplate({ ...manifest, kind: "Job", spec: spec?.jobTemplate?.spec });
  const template = spec?.template;
  if (template?.spec?.containers === undefined) return null;
  return { labels: template.metadata?.labels ?? {}, spec: template.spec };
}

/** Objects that have to be there before the given one, as far as its own text names them. */
export function needs(manifest: Manifest): Key[] {
  const { namespace } = manifest.metadata;
  const keys: Key[] = namespace === undefined ? [] : [key("Namespace", undefined, namespace)];
  keys.push(key("CustomResourceDefinition", undefined, definitionId(manifest)));
  const pod = podTemplate(manifest);
  if (pod) keys.push(...needsOfPod(pod.spec, namespace));
  const spec = (manifest.spec ?? {}) as Record<string, unknown>;
  switch (manifest.kind) {
    case "PersistentVolumeClaim":
      if (spec.volumeName !== undefined) keys.push(key("PersistentVolume", undefined, spec.volumeName));
      if (spec.storageClassName) keys.push(key("StorageClass", undefined, spec.storageClassName));
      break;
    case "ScaledObject":
    case "HorizontalPodAutoscaler":
      keys.push(scaleTarget(manifest));
      break;
    case "RoleBinding":
    case "ClusterRoleBinding":
      keys.push(...needsOfBinding(manifest, namespace));
      break;
  }
  return keys;
}

function needsOfPod(spec: PodSpec, namespace: string | undefined): Key[] {
  const keys: Key[] = [];
  const add = (kind: string, name: unknown) => {
    if (name !== undefined) keys.push(key(kind, namespace, name));
  };
  if (spec.priorityClassName !== undefined) keys.push(key("PriorityClass", undefined, spec.priorityClassName));
  if (spec.runtimeClassName !== undefined) keys.push(key("RuntimeClass", undefined, spec.runtimeClassName));
  add("ServiceAccount", spec.serviceAccountName);
  for (const secret of spec.imagePullSecrets ?? []) add("Secret", secret.name);
  for (const volume of spec.volumes ?? []) {
    add("ConfigMap", volume.configMap?.name);
    add("Secret", volume.secret?.secretName);
    add("PersistentVolumeClaim", volume.persistentVolumeClaim?.claimName);
    for (const source of volume.projected?.sources ?? []) {
      add("ConfigMap", source.configMap?.name);
      add("Secret", source.secret?.name);
    }
  }
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    for (const { valueFrom } of container.env ?? []) {
      add("ConfigMap", valueFrom?.configMapKeyRef?.name);
      add("Secret", valueFrom?.secretKeyRef?.name);
    }
    for (const from of container.envFrom ?? []) {
      add("ConfigMap", from.configMapRef?.name);
      add("Secret", from.secretRef?.name);
    }
  }
  return keys;
}

/** The workload that an autoscaler owns the replicas of. */
export function scaleTarget(manifest: Manifest): Key {
  const target = (manifest.spec as { scaleTargetRef?: { kind?: unknown; name?: unknown } } | undefined)?.scaleTargetRef;
  // KEDA's default kind.
  return key(String(target?.kind ?? "Deployment"), manifest.metadata.namespace, target?.name);
}

function needsOfBinding(manifest: Manifest, namespace: string | undefined): Key[] {
  const role = manifest.roleRef as { kind?: unknown; name?: unknown } | undefined;
  const subjects = (manifest.subjects ?? []) as readonly { kind?: unknown; name?: unknown; namespace?: string }[];
  return [
    key(String(role?.kind), role?.kind === "ClusterRole" ? undefined : namespace, role?.name),
    ...subjects
      .filter(({ kind }) => kind === "ServiceAccount")
      .map((s) => key("ServiceAccount", s.namespace ?? namespace, s.name)),
  ];
}

/** `ScaledObject.keda.sh`: group and kind, which is what a CustomResourceDefinition is about. */
function definitionId(manifest: Manifest): string {
  const slash = manifest.apiVersion.indexOf("/");
  return `${manifest.kind}.${slash < 0 ? "" : manifest.apiVersion.slice(0, slash)}`;
}

/** The keys that an object is found under. */
export function keysOf(manifest: Manifest): Key[] {
  const own = key(manifest.kind, manifest.metadata.namespace, manifest.metadata.name);
  if (manifest.kind !== "CustomResourceDefinition") return [own];
  const spec = manifest.spec as { group?: unknown; names?: { kind?: unknown } } | undefined;
  return [own, key("CustomResourceDefinition", undefined, `${String(spec?.names?.kind)}.${String(spec?.group)}`)];
}
