import type { ApiObject, Chart } from "cdk8s";
import { Construct } from "constructs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Manifest } from "../kubernetes-object.ts";
import { configMap, deployment, newChart, object } from "../testing/charts.ts";
import { inOrder, type Ordered } from "./order.ts";
import { render } from "./outputs.ts";

function ordered(chart: Chart): Ordered[] {
  return inOrder([...render(chart).objects]);
}

function label({ kind, name }: ApiObject): string {
  return `${kind} ${name}`;
}

/** What each object waits for, by kind and name. */
function waits(chart: Chart): Record<string, string[]> {
  return Object.fromEntries(ordered(chart).map(({ object, after }) => [label(object), after.map(label)]));
}

test("what a pod names comes before it", () => {
  const chart = newChart();
  deployment(chart, "chat", {
    serviceAccountName: "account",
    priorityClassName: "high",
    runtimeClassName: "nvidia",
    imagePullSecrets: [{ name: "registry" }],
    volumes: [
      { configMap: { name: "files" } },
      { secret: { secretName: "certificate" } },
      { persistentVolumeClaim: { claimName: "model" } },
      { projected: { sources: [{ configMap: { name: "projected" } }, { secret: { name: "projected" } }] } },
    ],
    initContainers: [
      { name: "wait", envFrom: [{ configMapRef: { name: "env-from" } }, { secretRef: { name: "env-from" } }] },
    ],
    containers: [
      {
        name: "server",
        env: [
          { name: "A", valueFrom: { configMapKeyRef: { name: "env", key: "a" } } },
          { name: "B", valueFrom: { secretKeyRef: { name: "env", key: "b" } } },
        ],
      },
    ],
  });
  object(chart, "v1", "ServiceAccount", "account");
  object(chart, "scheduling.k8s.io/v1", "PriorityClass", "high");
  object(chart, "node.k8s.io/v1", "RuntimeClass", "nvidia");
  for (const name of ["registry", "certificate", "projected", "env-from", "env"]) object(chart, "v1", "Secret", name);
  for (const name of ["files", "projected", "env-from", "env", "unrelated"]) configMap(chart, name);
  object(chart, "v1", "PersistentVolumeClaim", "model", { spec: { volumeName: "node-model" } });
  object(chart, "v1", "PersistentVolume", "node-model", { spec: {} });
  const result = waits(chart);
  expect(result["Deployment chat"]).toEqual([
    "ServiceAccount account",
    "PriorityClass high",
    "RuntimeClass nvidia",
    "Secret registry",
    "Secret certificate",
    "Secret projected",
    "Secret env-from",
    "Secret env",
    "ConfigMap files",
    "ConfigMap projected",
    "ConfigMap env-from",
    "ConfigMap env",
    "PersistentVolumeClaim model",
  ]);
  expect(result["PersistentVolumeClaim model"]).toEqual(["PersistentVolume node-model"]);
  expect(result["ConfigMap unrelated"]).toEqual([]);
});

test("a namespace and a definition come before what is in it or of it", () => {
  const chart = newChart("search", "search");
  object(chart, "example.com/v1", "Widget", "w");
  object(chart, "apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.example.com", {
    spec: { group: "example.com", names: { kind: "Widget" } },
  });
  object(chart, "v1", "Namespace", "search");
  expect(waits(chart)["Widget w"]).toEqual(["CustomResourceDefinition widgets.example.com", "Namespace search"]);
});

test("names and policies come before the pods that they select, budgets and monitors after", () => {
  const chart = newChart();
  const selector = { matchLabels: { app: "chat" } };
  deployment(chart, "chat");
  deployment(chart, "other");
  object(chart, "v1", "Service", "chat", { spec: { selector: { app: "chat" } } });
  object(chart, "v1", "Service", "public", { spec: { selector: { app: "chat" }, type: "LoadBalancer" } });
  object(chart, "networking.k8s.io/v1", "NetworkPolicy", "chat", { spec: { podSelector: selector } });
  object(chart, "policy/v1", "PodDisruptionBudget", "chat", { spec: { selector } });
  object(chart, "monitoring.coreos.com/v1", "PodMonitor", "chat", { spec: { selector } });
  object(chart, "v1", "ResourceQuota", "quota", { spec: {} });
  const result = waits(chart);
  expect(result["Deployment chat"]).toEqual(["Service chat", "NetworkPolicy chat", "ResourceQuota quota"]);
  expect(result["Deployment other"]).toEqual(["ResourceQuota quota"]);
  expect(result["Service public"]).toEqual(["Deployment chat"]);
  expect(result["PodDisruptionBudget chat"]).toEqual(["Deployment chat"]);
  expect(result["PodMonitor chat"]).toEqual(["Deployment chat"]);
});

test("all labels of a selector have to match, in the same namespace", () => {
  const chart = newChart();
  deployment(chart, "chat");
  object(chart, "v1", "Service", "stricter", { spec: { selector: { app: "chat", tier: "gpu" } } });
  object(chart, "v1", "Service", "elsewhere", {
    metadata: { name: "elsewhere", namespace: "other" },
    spec: { selector: { app: "chat" } },
  });
  expect(waits(chart)["Deployment chat"]).toEqual([]);
});

test("what scales a workload comes after it", () => {
  const chart = newChart();
  object(chart, "keda.sh/v1alpha1", "ScaledObject", "chat", { spec: { scaleTargetRef: { name: "chat" } } });
  object(chart, "autoscaling/v2", "HorizontalPodAutoscaler", "slm", {
    spec: { scaleTargetRef: { kind: "StatefulSet", name: "slm" } },
  });
  deployment(chart, "chat");
  object(chart, "apps/v1", "StatefulSet", "slm", { spec: {} });
  const result = waits(chart);
  expect(result["ScaledObject chat"]).toEqual(["Deployment chat"]);
  expect(result["HorizontalPodAutoscaler slm"]).toEqual(["StatefulSet slm"]);
});

test("a binding comes after the role and the account that it binds", () => {
  const chart = newChart();
  object(chart, "rbac.authorization.k8s.io/v1", "RoleBinding", "b", {
    roleRef: { kind: "Role", name: "r" },
    subjects: [{ kind: "ServiceAccount", name: "a", namespace: "search" }],
  });
  object(chart, "rbac.authorization.k8s.io/v1", "Role", "r");
  object(chart, "v1", "ServiceAccount", "a");
  expect(waits(chart)["RoleBinding b"]).toEqual(["Role r", "ServiceAccount a"]);
});

test("what the program says counts for whole constructs, and wins over what the manifests say", () => {
  const chart = newChart();
  const first = new Construct(chart, "first");
  const second = new Construct(chart, "second");
  configMap(first, "a");
  configMap(first, "b");
  configMap(second, "c");
  second.node.addDependency(first);
  expect(waits(chart)["ConfigMap c"]).toEqual(["ConfigMap a", "ConfigMap b"]);

  const contrary = newChart();
  const workload = deployment(contrary, "chat", { volumes: [{ configMap: { name: "late" } }] });
  configMap(contrary, "late").addDependency(workload);
  expect(waits(contrary)).toEqual({ "Deployment chat": [], "ConfigMap late": ["Deployment chat"] });
});

test("a circle is named", () => {
  const chart = newChart();
  const a = configMap(chart, "a");
  const b = configMap(chart, "b");
  a.addDependency(b);
  b.addDependency(a);
  expect(() => ordered(chart)).toThrow(
    "depend on each other in a circle: search/configmap-a -> search/configmap-b -> search/configmap-a",
  );
});

test("every object comes after all that it waits for, whatever the program says", () => {
  const kinds = ["ConfigMap", "Secret", "ServiceAccount", "Service", "Deployment", "ScaledObject", "Namespace"];
  const anyObject = fc.record({
    kind: fc.constantFrom(...kinds),
    name: fc.constantFrom("a", "b", "search"),
    says: fc.option(fc.nat(20), { nil: null }),
  });
  fc.assert(
    fc.property(fc.array(anyObject, { maxLength: 12 }), (wanted) => {
      const chart = newChart();
      const made: ApiObject[] = [];
      for (const [index, { kind, name, says }] of wanted.entries()) {
        const scope = new Construct(chart, String(index));
        const fields = {
          Deployment: {
            spec: {
              template: {
                metadata: { labels: { app: name } },
                spec: { serviceAccountName: name, containers: [{ envFrom: [{ secretRef: { name } }] }] },
              },
            },
          },
          Service: { spec: { selector: { app: name } } },
          ScaledObject: { spec: { scaleTargetRef: { name } } },
        }[kind];
        const object_ = object(scope, kind === "Deployment" ? "apps/v1" : "v1", kind, name, fields);
        // Only backwards, so that the program does not contradict itself.
        if (says !== null && says < made.length) object_.addDependency(made[says]!);
        made.push(object_);
      }
      const result = ordered(chart);
      expect(result).toHaveLength(made.length);
      const position = new Map(result.map(({ object }, index) => [object, index]));
      for (const { object, after } of result) {
        for (const earlier of after) expect(position.get(earlier)).toBeLessThan(position.get(object)!);
        for (const said of object.node.dependencies) expect(after).toContain(said);
      }
    }),
  );
});

test("a large chart is ordered in no time", () => {
  const chart = newChart();
  for (let i = 0; i < 500; i++) {
    const scope = new Construct(chart, `service-${i}`);
    const workload = deployment(scope, `s${i}`, { serviceAccountName: `s${i}` });
    object(scope, "v1", "ServiceAccount", `s${i}`);
    object(scope, "v1", "Service", `s${i}`, { spec: { selector: { app: `s${i}` } } });
    object(scope, "keda.sh/v1alpha1", "ScaledObject", `s${i}`, {
      spec: { scaleTargetRef: { name: `s${i}` } },
    }).addDependency(workload);
  }
  const items = [...render(chart).objects] as { object: ApiObject; manifest: Manifest }[];
  const start = performance.now();
  const result = inOrder(items);
  expect(result).toHaveLength(2000);
  // About 20 ms; comparing all with all takes seconds.
  expect(performance.now() - start).toBeLessThan(1000);
});
