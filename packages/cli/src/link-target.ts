import { lstatSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** More links in a row are a circle; the limit is Linux's own. */
const MOST_LINKS = 40;

/** What a path stands for once symbolic links at its end are followed; it need not exist. */
export function linkTarget(path: string): string {
  let target = path;
  for (let links = 0; lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() === true; links++) {
    if (links === MOST_LINKS) throw new Error("too many symbolic links");
    target = resolve(dirname(target), readlinkSync(target));
  }
  return target;
}
