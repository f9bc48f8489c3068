import { ApiObject, App, Chart } from "cdk8s";
import type { IConstruct } from "constructs";

export function newChart(id = "search", namespace = "search"): Chart {
  return new Chart(new App(), id, { namespace });
}

/** An object of any kind; `fields` go beside `metadata` and may hold anything. */
export function object(
  scope: IConstruct,
  apiVersion: string,
  kind: string,
  name: string,
  fields: object = {},
): ApiObject {
  const id = `${kind}-${name}`.toLowerCase();
  return new ApiObject(scope as Chart, id, { apiVersion, kind, metadata: { name }, ...fields });
}

export function configMap(scope: IConstruct, name: string, data: object = {}): ApiObject {
  return object(scope, "v1", "ConfigMap", name, { data });
}

/** A Deployment whose pods carry `app: <name>`. */
export function deployment(scope: IConstruct, name: string, pod: object = {}, spec: object = {}): ApiObject {
  return object(scope, "apps/v1", "Deployment", name, {
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "server" }], ...pod } },
      ...spec,
    },
  });
}
