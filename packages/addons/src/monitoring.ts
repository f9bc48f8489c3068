import type { MonitoringContext, ResolvedPlatform } from "@capstan/core";

/** The Prometheus that scrapes the platform; null: there is none, so nothing may create a monitor object. */
export function monitoringOf(platform: ResolvedPlatform): MonitoringContext | null {
  return platform.addons.monitoring.mode === "none" ? null : platform.context.monitoring;
}

/** A release that creates monitors waits for their definitions, where the platform brings them. */
export function monitorDependencies(platform: ResolvedPlatform): readonly string[] {
  return platform.addons.monitoring.mode === "install" ? ["prometheus-operator-crds"] : [];
}
