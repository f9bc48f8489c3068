import { hub, secretKey } from "../../model/source.ts";
import { bge, phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { llama } from "./examples.ts";

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const LONGEST_SHOWN = 40;

function variables(list: readonly string[]) {
  return llama({ environmentVariables: list.map((name) => ({ name, value: "1" })) });
}

export const variableName = serviceRule({
  id: "service.env.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The API server refuses the pod, or the process never sees the variable.",
  reference: "Kubernetes API, EnvVar; POSIX, environment variables",
  check: ({ environmentVariables }) =>
    environmentVariables
      .filter(({ name }) => !VARIABLE.test(name))
      .map(({ name }) => ({
        at: "environmentVariables",
        message: `"${name.slice(0, LONGEST_SHOWN)}" cannot name a variable: letters, digits and _ . -, no digit first`,
        remedy: name.includes("=") ? "give name and value apart" : "write it like VLLM_LOGGING_LEVEL",
      })),
  examples: {
    bad: [
      { title: "with its value", declare: () => variables(["LOG_LEVEL=debug"]), at: "environmentVariables" },
      { title: "space", declare: () => variables(["LOG LEVEL"]), at: "environmentVariables" },
      { title: "digit first", declare: () => variables(["2ND"]), at: "environmentVariables" },
      { title: "empty", declare: () => variables([""]), at: "environmentVariables" },
    ],
    good: [{ title: "plain", declare: () => variables(["VLLM_LOGGING_LEVEL"]) }],
  },
});

export const variableTwice = serviceRule({
  id: "service.env.twice",
  severity: "error",
  acknowledgeable: false,
  reason:
    "The last of two variables of one name wins, and server-side apply merges them by name: which one runs depends on who looks.",
  reference: "Kubernetes API, merge key of env",
  check: ({ environmentVariables, secretEnvironment }) => {
    const names = [...environmentVariables, ...secretEnvironment].map(({ name }) => name);
    const twice = new Set(names.filter((name, i) => names.indexOf(name) !== i));
    return [...twice].map((name) => ({
      at: "environmentVariables",
      message: secretEnvironment.some((v) => v.name === name)
        ? `${name} comes from a Secret already`
        : `${name} is there twice`,
      remedy: "remove one",
    }));
  },
  examples: {
    bad: [
      { title: "two levels", declare: () => variables(["LOG_LEVEL", "LOG_LEVEL"]), at: "environmentVariables" },
      {
        title: "token in plain text beside its Secret",
        declare: () =>
          bge({
            source: hub({ token: secretKey("hf", "token") }),
            environmentVariables: [{ name: "HF_TOKEN", value: "x" }],
          }),
        at: "environmentVariables",
      },
    ],
    good: [
      { title: "two", declare: () => variables(["A", "B"]) },
      {
        title: "one that the engine gets by default",
        declare: () => bge({ environmentVariables: [{ name: "HF_HOME", value: "/data/hub" }] }),
      },
      { title: "none", declare: () => phi({}) },
    ],
  },
});
