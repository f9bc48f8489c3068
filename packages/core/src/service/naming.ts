import type { ResolveContext } from "../context.ts";
import { ENVIRONMENT_LABEL, MANAGED_BY, MODEL_ANNOTATION, MODEL_LABEL, POOL_LABEL, TEAM_LABEL } from "../labels.ts";
import { slug } from "../slug.ts";

export interface ServiceNaming {
  readonly labels: Readonly<Record<string, string>>;
  readonly selector: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Labels of every object of a service. The selector never changes with model, image or environment: selectors are
 * immutable, and a changed one replaces the Deployment with all its GPUs.
 */
export function serviceNaming(
  service: {
    readonly name: string;
    readonly team: string;
    readonly pool: string;
    readonly modelId: string;
    readonly engine: string;
    readonly version: string | null;
  },
  context: ResolveContext,
): ServiceNaming {
  const selector = {
    "app.kubernetes.io/name": service.engine,
    "app.kubernetes.io/instance": service.name,
  };
  return {
    selector,
    labels: {
      ...selector,
      "app.kubernetes.io/component": "model-server",
      "app.kubernetes.io/part-of": "inference-platform",
      "app.kubernetes.io/managed-by": MANAGED_BY,
      ...(service.version === null ? {} : { "app.kubernetes.io/version": service.version }),
      [TEAM_LABEL]: service.team,
      [MODEL_LABEL]: slug(service.modelId),
      [ENVIRONMENT_LABEL]: context.environment,
      [POOL_LABEL]: service.pool,
    },
    annotations: { [MODEL_ANNOTATION]: service.modelId },
  };
}
