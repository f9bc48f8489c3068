import { type Vllm, type VllmProps, vllm } from "@capstan/core";
import type { Chart } from "cdk8s";
import { VllmService } from "../vllm-service.ts";
import { chart, chat, one, type Rendered, synthesised } from "./fixtures.ts";

/** The YAML of one service, read back. */
export function render(declaration: Vllm, into: Chart = chart()): Rendered[] {
  new VllmService(into, declaration.name, declaration);
  return synthesised(into);
}

export function deployment(declaration: Vllm): Rendered {
  return one(render(declaration), "Deployment");
}

/** The cached chat service with other props. */
export function chatWith(props: Partial<VllmProps>): Vllm {
  return vllm({ ...chat.props, ...props });
}
