import { engine as engineFacts, type ServingEngine } from "@capstan/catalog";
import type { ResolveContext } from "../context.ts";
import type { OriginLog } from "../provenance.ts";
import type { ImageReference } from "./common-props.ts";
import type { ResolvedIdentity, ResolvedServiceBase, ServiceMetrics } from "./resolved.ts";

type Image = ResolvedServiceBase["image"];

/** Some user that is not root, for images that run as any. */
const ANY_USER = 2000;

export function resolveImage(
  name: ServingEngine,
  version: string,
  arch: "amd64" | "arm64",
  given: ImageReference | undefined,
  origins: OriginLog,
): Image {
  const facts = engineFacts(name).image;
  const pattern = facts.tags[arch] ?? facts.tags.amd64 ?? "{version}";
  const repository = origins.orDefault("image.repository", given?.repository, facts.repository, "upstream's own image");
  // A digest alone names an image; with somebody else's repository the pattern would be a guess that the tag rule shows.
  const tag = origins.orDerived(
    "image.tag",
    given?.tag,
    () => (given?.digest === undefined ? pattern.replace("{version}", version) : null),
    ["engineVersion"],
    "the release of the engine version",
  );
  return { repository, tag, digest: given?.digest ?? null };
}

export function imageReference(image: Image): string {
  return `${image.repository}${image.tag === null ? "" : `:${image.tag}`}${image.digest === null ? "" : `@${image.digest}`}`;
}

/** The image's own user where it has one; root where upstream's image knows no other. */
export function imageIdentity(name: ServingEngine, version: string): ResolvedIdentity {
  const users = engineFacts(name).users.filter((user) => user.since === null || atLeast(version, user.since));
  const user = users.at(-1);
  if (user?.runAsUser != null)
    return nonRoot(user.runAsUser, user.runAsGroup ?? user.runAsUser, user.fsGroup ?? user.runAsUser);
  // The CPU servers write nothing outside the directories they are given, so any user runs them.
  if (name !== "vllm") return nonRoot(ANY_USER, ANY_USER, ANY_USER);
  return { runAsUser: 0, runAsGroup: 0, fsGroup: 0, nonRoot: false, readOnlyRootFilesystem: false };
}

export function nonRoot(runAsUser: number, runAsGroup: number, fsGroup: number): ResolvedIdentity {
  return { runAsUser, runAsGroup, fsGroup, nonRoot: true, readOnlyRootFilesystem: true };
}

function atLeast(version: string, since: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [sinceMajor = 0, sinceMinor = 0] = since.split(".").map(Number);
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}

export function serviceMetrics(
  port: number,
  portName: string,
  path: string,
  context: ResolveContext,
): ServiceMetrics | null {
  if (!context.monitoring) return null;
  return {
    port,
    portName,
    path,
    intervalSeconds: context.monitoring.scrapeIntervalSeconds,
    monitorLabels: context.monitoring.monitorLabels,
    scraperNamespace: context.monitoring.namespace,
  };
}
