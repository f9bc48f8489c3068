import type { ResolvedServiceBase } from "@capstan/core";

/** Name of the container that serves; also what `kubectl logs -c` takes. */
export const SERVER_CONTAINER = "server";
/** Init containers: one waits for the node's cache, the other downloads into the pod. */
export const WAIT_CONTAINER = "wait-for-model";
export const FETCH_CONTAINER = "fetch-model";

/** Name of the port that requests arrive at, in the pod and in the Service. */
export const HTTP_PORT = "http";

/** Volumes of the pod that are not named by the resolved service. */
export const SHM_VOLUME = "shm";
export const MODEL_VOLUME = "model";
export const SERVER_FILES_VOLUME = "server-files";

export interface ObjectMetadata {
  name: string;
  namespace: string;
  labels: { [key: string]: string };
  annotations?: { [key: string]: string };
}

/** Every object of a service has its name, namespace and labels. */
export function objectMetadata(service: ResolvedServiceBase): ObjectMetadata {
  return { name: service.name, namespace: service.namespace, labels: service.labels };
}
