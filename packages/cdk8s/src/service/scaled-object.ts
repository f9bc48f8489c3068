import type { Fallback, ResolvedScaling, ResolvedService, ScalingBehaviour } from "@capstan/core";
import type { IHorizontalPodAutoscalerBehavior } from "kubernetes-models/autoscaling/v2";
import { type ObjectMetadata, objectMetadata } from "./names.ts";

export type KedaScaling = Extract<ResolvedScaling, { readonly by: "keda" }>;

/** `keda.sh/v1alpha1`, the fields that are used here. */
export interface ScaledObject {
  apiVersion: "keda.sh/v1alpha1";
  kind: "ScaledObject";
  metadata: ObjectMetadata;
  spec: {
    scaleTargetRef: { apiVersion: string; kind: string; name: string };
    minReplicaCount: number;
    maxReplicaCount: number;
    pollingInterval: number;
    cooldownPeriod: number;
    fallback?: { failureThreshold: number; replicas: number; behavior: Fallback["behavior"] };
    advanced: { horizontalPodAutoscalerConfig: { behavior: IHorizontalPodAutoscalerBehavior } };
    triggers: { type: string; name: string; metricType?: string; metadata: { [key: string]: string } }[];
    [field: string]: unknown;
  };
}

export function scaledObject(service: ResolvedService, scaling: KedaScaling): ScaledObject {
  return {
    apiVersion: "keda.sh/v1alpha1",
    kind: "ScaledObject",
    metadata: objectMetadata(service),
    spec: {
      scaleTargetRef: scaleTarget(service),
      minReplicaCount: scaling.min,
      maxReplicaCount: scaling.max,
      pollingInterval: scaling.pollingSeconds,
      cooldownPeriod: scaling.cooldownSeconds,
      ...(scaling.fallback === null ? {} : { fallback: { ...scaling.fallback } }),
      advanced: { horizontalPodAutoscalerConfig: { behavior: behaviour(scaling.behaviour) } },
      triggers: scaling.triggers.map(({ type, name, metricType, metadata }) => ({
        type,
        name,
        ...(metricType === null ? {} : { metricType }),
        metadata: { ...metadata },
      })),
    },
  };
}

export function scaleTarget(service: ResolvedService): { apiVersion: string; kind: string; name: string } {
  return { apiVersion: "apps/v1", kind: "Deployment", name: service.name };
}

export function behaviour(behaviour: ScalingBehaviour): IHorizontalPodAutoscalerBehavior {
  const rules = ({ stabilizationSeconds, pods, periodSeconds }: ScalingBehaviour["scaleUp"]) => ({
    stabilizationWindowSeconds: stabilizationSeconds,
    policies: [{ type: "Pods", value: pods, periodSeconds }],
  });
  return { scaleUp: rules(behaviour.scaleUp), scaleDown: rules(behaviour.scaleDown) };
}
