import { type Hit, vllmRule } from "../rule.ts";
import { showValue } from "../secrets.ts";
import { argumentsOf } from "./argument.ts";
import { llama8b } from "./example-services.ts";
import { environmentValue } from "./subject.ts";

/** Flags that move memory and that the memory model does not read; what each does. */
const FLAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "--block-size": "changes the KV block",
    "--config": "brings arguments from a file that nobody checked",
    "--cpu-offload-gb": "moves weights to host memory",
    "--cudagraph-capture-sizes": "changes the memory of CUDA graphs",
    "--data-parallel-size": "runs several engines in the pod, each with all weights",
    "--decode-context-parallel-size": "divides the KV cache over ranks",
    "--disable-hybrid-kv-cache-manager": "gives sliding layers a full KV cache",
    "--enable-sleep-mode": "keeps weights in host memory while asleep",
    "--hf-overrides": "changes the model's configuration",
    "--kv-offloading-size": "takes host memory for KV blocks",
    "--limit-mm-per-prompt": "changes the activation peak of the encoder",
    "--max-cudagraph-capture-size": "changes the memory of CUDA graphs",
    "--mm-ipc-gpu-memory-gb": "takes GPU memory for media",
    "--num-gpu-blocks-override": "takes the place of the measured KV cache",
    "--prefill-context-parallel-size": "divides prompts over ranks",
    "--quantization": "quantises weights while loading",
    "--speculative-config": "loads a draft model",
    "--spec-model": "loads a draft model",
  }),
);

export const notPlanned = vllmRule({
  id: "vllm.fit.not-planned",
  severity: "warning",
  reason: "Fit, concurrency and cost are shown without what this does to memory.",
  reference: "facts/serving.md A1 and B",
  check: (service) => {
    const hits: Hit[] = argumentsOf(service).flatMap(({ at, name, spelled, flag }) => {
      const does = flag === null ? undefined : FLAGS.get(name);
      return does
        ? [
            {
              at,
              message: `${spelled} ${does}, which the plan does not count`,
              remedy:
                "leave room for it with a lower gpuMemoryUtilization, and compare the plan with the first start's log",
            },
          ]
        : [];
    });
    if (service.lora)
      hits.push({
        at: "lora",
        message: `${service.lora.maxAdapters} adapters of rank ${service.lora.maxRank} take GPU memory that the plan does not count`,
        remedy: "leave some GiB to the adapters: a shorter maxModelLen, or fewer of them",
      });
    if (service.dtype === "float32" && service.precision !== "fp32")
      hits.push({
        at: "dtype",
        message: `dtype "float32" doubles weights and KV cache, which the plan counts as ${service.precision}`,
        remedy: 'write dtype: "auto"',
      });
    const runner = environmentValue(service, "VLLM_USE_V2_MODEL_RUNNER");
    if (runner !== undefined)
      hits.push({
        at: "environmentVariables",
        message: `VLLM_USE_V2_MODEL_RUNNER=${showValue(runner)} takes another model runner than the plan counts with`,
        remedy: "leave it out",
      });
    return hits;
  },
  examples: {
    bad: [
      {
        title: "draft model",
        declare: () => llama8b({ extraArgs: ["--speculative-config.model=meta-llama/Llama-3.2-1B-Instruct"] }),
        at: "extraArgs.0",
      },
      {
        title: "quantised while loading",
        declare: () => llama8b({ extraArgs: ["--quantization=fp8"] }),
        at: "extraArgs.0",
      },
      {
        title: "arguments from a file",
        declare: () => llama8b({ extraArgs: ["--config=/etc/vllm.yaml"] }),
        at: "extraArgs.0",
      },
      { title: "adapters", declare: () => llama8b({ lora: { maxAdapters: 4, maxRank: 16 } }), at: "lora" },
      { title: "float32", declare: () => llama8b({ dtype: "float32" }), at: "dtype" },
      {
        title: "other runner",
        declare: () => llama8b({ environmentVariables: [{ name: "VLLM_USE_V2_MODEL_RUNNER", value: "0" }] }),
        at: "environmentVariables",
      },
    ],
    good: [{ title: "nothing of it", declare: () => llama8b({ extraArgs: ["--seed=1"] }) }],
  },
});
