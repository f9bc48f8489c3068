import type { RenderedObject } from "../programs/rendered.ts";

/** API groups of operators, by the package that has their schemas. */
const OF_OPERATORS: Readonly<Record<string, string>> = {
  "keda.sh": "@kubernetes-models/keda",
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
};

/** Module that holds the class and the type of an object's kind: `kubernetes-models/apps/v1/Deployment`. */
export function modelOf({ apiVersion, kind }: RenderedObject["object"]): string {
  const [group] = apiVersion.includes("/") ? apiVersion.split("/") : [""];
  return `${OF_OPERATORS[group ?? ""] ?? "kubernetes-models"}/${apiVersion}/${kind}`;
}

interface Model {
  validate(): void;
}

/** What the schema of its kind says against an object; null where it says nothing. Unknown fields are none of its business. */
export async function schemaProblem({ object }: RenderedObject): Promise<string | null> {
  const module = modelOf(object);
  try {
    const models = (await import(module)) as Readonly<Record<string, new (data: object) => Model>>;
    const Kind = models[object.kind];
    if (Kind === undefined) return `${module} has no ${object.kind}`;
    new Kind(object).validate();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
