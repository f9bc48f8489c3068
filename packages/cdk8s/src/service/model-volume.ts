import type { ResolvedCache, ResolvedService } from "@capstan/core";
import type { IPersistentVolume, IPersistentVolumeClaim, IVolume, IVolumeMount } from "kubernetes-models/v1";
import { MODEL_VOLUME, objectMetadata } from "./names.ts";

export type NvmeVolume = Extract<ResolvedCache, { readonly kind: "nvme" }>;

export function nvmeVolume(service: ResolvedService): NvmeVolume | null {
  return service.cache?.kind === "nvme" ? service.cache : null;
}

/** The cached model in the pod, always read-only: the preloader is its only writer. */
export function modelVolumes(service: ResolvedService): IVolume[] {
  if (service.cache === null) return [];
  return [{ name: MODEL_VOLUME, persistentVolumeClaim: { claimName: service.cache.claimName, readOnly: true } }];
}

export function modelMounts(service: ResolvedService): IVolumeMount[] {
  const { cache, modelPath } = service;
  if (cache === null || modelPath === null) return [];
  const inside = cache.kind === "claim" ? cache.path : "";
  return [{ name: MODEL_VOLUME, mountPath: modelPath, readOnly: true, ...(inside === "" ? {} : { subPath: inside }) }];
}

const GIB = 2 ** 30;

/**
 * The model's directory on the node as a static volume, bound to the one claim of the service.
 *
 * A `local` volume, not a `hostPath` one, for three reasons. Its mount options are honoured, so `ro` holds for every pod
 * that uses the claim, also one of the team's own that forgets `readOnly` or runs as root: nobody but the preloader can
 * change weights that others serve. A missing directory is a mount error that the kubelet names and retries, where
 * `hostPath` would make an empty one on whatever disk is there; the preloader makes all its directories first, so this
 * lasts until it has started. And node affinity is required, so the scheduler never takes the pod to a node without the
 * array. The same path exists on every node of the pool, which is why the affinity is the pool's selector, not a host.
 */
export function modelPersistentVolume(service: ResolvedService, cache: NvmeVolume): IPersistentVolume {
  const { labels } = objectMetadata(service);
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: cache.volumeName, labels },
    spec: {
      accessModes: ["ReadOnlyMany"],
      capacity: { storage: capacity(service, cache) },
      // Bound from both sides: no other claim can take the volume, and no provisioner is asked.
      claimRef: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace: service.namespace,
        name: cache.claimName,
      },
      local: { path: cache.hostPath },
      mountOptions: ["ro"],
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            {
              matchExpressions: Object.entries(service.pool.nodeSelector).map(([key, value]) => ({
                key,
                operator: "In",
                values: [value],
              })),
            },
          ],
        },
      },
      // The files belong to the node and go with it; a deleted claim must not touch them.
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: "",
      volumeMode: "Filesystem",
    },
  };
}

export function modelClaim(service: ResolvedService, cache: NvmeVolume): IPersistentVolumeClaim {
  const { namespace, labels } = objectMetadata(service);
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: cache.claimName, namespace, labels },
    spec: {
      accessModes: ["ReadOnlyMany"],
      resources: { requests: { storage: capacity(service, cache) } },
      // Empty, not absent: the default class would provision a disk.
      storageClassName: "",
      volumeMode: "Filesystem",
      volumeName: cache.volumeName,
    },
  };
}

/** Nothing enforces the size of a local volume; the API wants one, and people read it. */
function capacity(service: ResolvedService, cache: NvmeVolume): string {
  return `${cache.bytes === null ? service.pool.nvmeGib : Math.ceil(cache.bytes / GIB)}Gi`;
}
