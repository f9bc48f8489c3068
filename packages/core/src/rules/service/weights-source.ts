import type { ResolvedService } from "../../service/resolved.ts";

const COMMIT_HASH = /^[0-9a-f]{40}$/;

/** True where something downloads from the hub: the server, the pod's own download, or the preloader of its cache. */
export function readsHub({ source, cache }: ResolvedService): boolean {
  return source.kind === "hub" && cache?.kind !== "claim";
}

/** The property that the source was written in. */
export function sourcePath({ cache }: ResolvedService, below: string): string {
  return `${cache?.kind === "nvme" ? "cache.source" : "source"}.${below}`;
}

export function isPinned({ model }: ResolvedService): boolean {
  return COMMIT_HASH.test(model.revision ?? "");
}
