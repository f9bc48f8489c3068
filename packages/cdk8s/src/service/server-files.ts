import type { ResolvedService, ServerFile } from "@capstan/core";
import type { IConfigMap } from "kubernetes-models/v1";
import { objectMetadata } from "./names.ts";

/** Files that the server reads beside the model: configuration of OVMS or Triton. */
export function serverFiles(service: ResolvedService): readonly ServerFile[] {
  return service.kind === "onnx" ? service.serverFiles : [];
}

/** Keys of a ConfigMap have no slash: `/models/phi/config.pbtxt` becomes `models.phi.config.pbtxt`. */
export function serverFileKey(file: ServerFile): string {
  return file.path.replace(/^\/+/, "").replaceAll("/", ".");
}

export function serverFilesConfigMap(service: ResolvedService): IConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...objectMetadata(service), name: serverFilesName(service) },
    data: Object.fromEntries(serverFiles(service).map((file) => [serverFileKey(file), file.content])),
  };
}

export function serverFilesName(service: ResolvedService): string {
  return `${service.name}-server-files`;
}
