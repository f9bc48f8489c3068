import type { ResolvedService, ServerFile } from "@capstan/core";
import type { IConfigMap } from "kubernetes-models/v1";
import { objectMetadata } from "./names.ts";

/** Files that the server reads beside the model, with their absolute paths: configuration of OVMS or Triton. */
export function serverFiles(service: ResolvedService): readonly ServerFile[] {
  if (service.kind !== "onnx") return [];
  return service.serverFiles.map(({ path, content }) => ({ path: absolute(path, service.args), content }));
}

/** A relative path is meant from the directory that the server is told to read. */
function absolute(path: string, args: readonly string[]): string {
  if (path.startsWith("/")) return path;
  const repository = argument(args, "--model-repository");
  if (repository !== undefined) return `${repository}/${path}`;
  const config = argument(args, "--config_path");
  if (config !== undefined) return `${config.slice(0, config.lastIndexOf("/"))}/${path}`;
  throw new Error(`the server is not told where to read ${path}`);
}

function argument(args: readonly string[], flag: string): string | undefined {
  return args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1);
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
