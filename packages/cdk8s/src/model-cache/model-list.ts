import type { PreloadedModel, SecretKey } from "@capstan/core";
import { markerOf, s3Url, sourceUrl } from "./marker.ts";

/** Tab is whitespace to `read`, which takes several for one: an empty column would shift the rest. */
const NONE = "-";

/** The list that the script reads: one model a line, tab-separated columns in the order of its `read`. */
export function modelList(models: readonly PreloadedModel[]): string {
  return models.map((model) => `${columns(model, tokenVariables(models)).join("\t")}\n`).join("");
}

function columns(model: PreloadedModel, tokens: ReadonlyMap<string, string>): string[] {
  const { source } = model;
  return [
    model.slug,
    source.kind,
    source.kind === "s3" ? s3Url(source) : source.repository,
    (source.kind === "hub" ? source.revision : null) ?? NONE,
    model.path ?? NONE,
    model.hostPath,
    model.bytes === null ? NONE : String(model.bytes),
    (source.kind === "hub" && source.token ? tokens.get(secretId(source.token)) : undefined) ?? NONE,
    sourceUrl(source),
    markerOf(model),
  ];
}

/** Environment variable of each access token, by secret and key. Models of one token share it. */
export function tokenVariables(models: readonly PreloadedModel[]): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const secret of tokenSecrets(models)) variables.set(secretId(secret), `HUB_TOKEN_${variables.size}`);
  return variables;
}

/** The distinct secrets, in the order of the models. */
export function tokenSecrets(models: readonly PreloadedModel[]): SecretKey[] {
  const secrets = new Map<string, SecretKey>();
  for (const { source } of models) {
    if (source.kind === "hub" && source.token) secrets.set(secretId(source.token), source.token);
  }
  return [...secrets.values()];
}

export function secretId(secret: SecretKey): string {
  return `${secret.secretName}/${secret.key}`;
}
