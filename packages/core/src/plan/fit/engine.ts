import { latestVllm } from "@capstan/catalog";
import { NEWEST_READ } from "../memory/bands.ts";
import { parseEngineVersion } from "../memory/index.ts";
import type { Problems } from "./fit-error.ts";

export interface FitEngine {
  readonly name: "vllm" | "tensorrt-llm";
  /** Exact; null: the newest constants of TensorRT-LLM. */
  readonly version: string | null;
}

const OLDEST_MINOR = 11;
const examples = `vllm@${latestVllm}, or tensorrt-llm for speed only`;

/** Null: the problems say why. */
export function fitEngine(text: string | null | undefined, problems: Problems): FitEngine | null {
  if (text === null || text === undefined) return { name: "vllm", version: latestVllm };
  const [name = "", version, ...rest] = text.split("@");
  if (rest.length > 0 || version === "" || (name !== "vllm" && name !== "tensorrt-llm")) {
    problems.add("engine", text, `not an engine and version that is known; write ${examples}`);
    return null;
  }
  if (version === undefined) return { name, version: name === "vllm" ? latestVllm : null };
  const parsed = parseEngineVersion(version);
  if (parsed === null) {
    problems.add("engine", text, `the version must be exact, since behaviour changes inside a minor: ${examples}`);
    return null;
  }
  const newest = Number(NEWEST_READ.split(".")[1]);
  if (name === "vllm" && (parsed.major !== 0 || parsed.minor < OLDEST_MINOR || parsed.minor > newest)) {
    problems.add(
      "engine",
      text,
      `the memory accounting of this version was not read; known are 0.${OLDEST_MINOR} to ${NEWEST_READ}, the newest as vllm@${latestVllm}`,
    );
    return null;
  }
  return { name, version: version.replace(/^v/, "") };
}
