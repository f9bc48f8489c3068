import { claimCache, existingPool, fixed, nvmeCache, ref, s3, type Vllm, vllm } from "@capstan/core";
import { expect, test } from "vitest";
import { refsOf } from "../refs.ts";
import { cachedPlatform, chart, chat, gated, one, type Rendered, synthesised } from "../testing/fixtures.ts";
import { initOf, podOf, serverOf, variable } from "../testing/pod.ts";
import { chatWith, render } from "../testing/vllm.ts";
import { VllmService } from "../vllm-service.ts";

function _deployment(declaration: Vllm): Rendered {
  return one(render(declaration), "Deployment");
}

test("nodes that others made are selected as they are labelled", () => {
  const pool = existingPool({
    name: "theirs",
    instanceType: "g6e.2xlarge",
    nodeSelector: { "karpenter.sh/nodepool": "gpu", zone: "a" },
    size: { min: 1, max: 4 },
    localStorage: "raid0",
  });
  const objects = render(chatWith({ pool, scaling: fixed(1) }));
  expect(podOf(one(objects, "Deployment")).nodeSelector).toEqual({ "karpenter.sh/nodepool": "gpu", zone: "a" });
  expect(one(objects, "PersistentVolume").spec.nodeAffinity.required.nodeSelectorTerms).toEqual([
    {
      matchExpressions: [
        { key: "karpenter.sh/nodepool", operator: "In", values: ["gpu"] },
        { key: "zone", operator: "In", values: ["a"] },
      ],
    },
  ]);
});

test("the cached model: a static read-only volume bound to one claim, no host path in the pod", () => {
  const objects = render(chat, chart("some-other-namespace"));
  const volume = one(objects, "PersistentVolume");
  const claim = one(objects, "PersistentVolumeClaim");
  const workload = one(objects, "Deployment");
  expect(volume.metadata).not.toHaveProperty("namespace");
  expect(volume.spec).toMatchObject({
    accessModes: ["ReadOnlyMany"],
    claimRef: { namespace: "search", name: claim.metadata.name },
    local: { path: "/mnt/k8s-disks/0/capstan-models/s3--models-bucket--llama-3.1-8b" },
    mountOptions: ["ro"],
    persistentVolumeReclaimPolicy: "Retain",
    storageClassName: "",
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "capstan.dev/pool", operator: "In", values: ["l40s"] }] }],
      },
    },
  });
  expect(claim.metadata.namespace).toBe("search");
  expect(claim.spec).toMatchObject({
    accessModes: ["ReadOnlyMany"],
    storageClassName: "",
    volumeName: volume.metadata.name,
  });
  expect(claim.spec.resources.requests.storage).toBe(volume.spec.capacity.storage);
  const pod = podOf(workload);
  expect(JSON.stringify(pod)).not.toContain("hostPath");
  expect(pod.volumes).toContainEqual({
    name: "model",
    persistentVolumeClaim: { claimName: claim.metadata.name, readOnly: true },
  });
  expect(serverOf(workload).volumeMounts).toContainEqual({ name: "model", mountPath: "/models", readOnly: true });
  expect(serverOf(workload).args[0]).toBe("/models");
  expect(variable(serverOf(workload), "HF_HUB_OFFLINE")).toBe("1");
});

test("a pod waits for exactly what the preloader writes", () => {
  const all = cachedPlatform();
  for (const resolved of all.services) {
    if (resolved.kind !== "vllm" || resolved.cache?.kind !== "nvme") throw new Error("a cached vLLM service expected");
    const c = chart();
    new VllmService(c, "x", { service: resolved, context: all.context });
    const wait = initOf(one(synthesised(c), "Deployment"), "wait-for-model");
    expect(wait.image).toBe(resolved.imageReference);
    expect(wait.volumeMounts).toEqual([{ name: "model", mountPath: "/model", readOnly: true }]);
    expect(variable(wait, "NVIDIA_VISIBLE_DEVICES")).toBe("void");
    // Same host resources, so that the pod stays Guaranteed and asks for no more; and no GPU of its own.
    expect(wait.resources.requests).toEqual(wait.resources.limits);
    expect(Object.keys(wait.resources.limits).sort()).toEqual(["cpu", "ephemeral-storage", "memory"]);
  }
});

test("a claim of the user's: mounted read-only at its path, no volume of ours, nothing to wait for", () => {
  const objects = render(
    chatWith({
      cache: claimCache({ claimName: "efs-models", accessMode: "ReadWriteMany", path: "llama" }),
    }),
  );
  expect(objects.map((o) => o.kind)).not.toContain("PersistentVolume");
  const workload = one(objects, "Deployment");
  expect(podOf(workload).volumes).toContainEqual({
    name: "model",
    persistentVolumeClaim: { claimName: "efs-models", readOnly: true },
  });
  expect(serverOf(workload).volumeMounts).toContainEqual({
    name: "model",
    mountPath: "/models/llama",
    subPath: "llama",
    readOnly: true,
  });
  expect(serverOf(workload).args[0]).toBe("/models/llama");
  expect(podOf(workload)).not.toHaveProperty("initContainers");
});

test("a bucket that is made in the same program is a token, and its value is found beside it", () => {
  const bucket = ref("models-bucket", { an: "output" });
  const streamed = vllm({ ...gated.props, name: "streamed", source: s3({ bucket, prefix: "llama" }) });
  const c = chart();
  new VllmService(c, "streamed", streamed);
  new VllmService(c, "cached", chatWith({ cache: nvmeCache({ source: s3({ bucket, prefix: "llama-8b" }) }) }));
  const [cached, direct] = ["llama-8b", "streamed"].map(
    (name) => synthesised(c).find((o) => o.kind === "Deployment" && o.metadata.name === name) as Rendered,
  );
  expect(serverOf(direct as Rendered).args[0]).toBe(`s3://\${ref:models-bucket}/llama`);
  expect(variable(initOf(cached as Rendered, "wait-for-model"), "WANTED")).toMatch(
    /^s3:\/\/\$\{ref:models-bucket\}\/llama-8b/,
  );
  expect(refsOf(c).get("models-bucket")?.value).toBe(bucket.value);
});
