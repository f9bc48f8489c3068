import { EksCluster, InferencePlatform } from "@capstan/eks";
import type * as pulumi from "@pulumi/pulumi";
import { readConfig } from "./config.ts";
import { inferencePlatform } from "./platform.ts";

/** Exported rather than run: a module runs once a process, a program may be planned several times. */
export function program(): Record<string, pulumi.Input<unknown>> {
  const config = readConfig();
  const cluster = new EksCluster("inference", {
    region: config.region,
    clusterName: `inference-${config.environment}`,
    production: config.environment === "prod",
    vpc: { zones: config.zones },
    ...(config.apiAllowedCidrs.length > 0 ? { endpoint: { publicCidrs: config.apiAllowedCidrs } } : {}),
    acknowledge: {
      "cluster.addons.unpinned":
        "no tested version of the node monitoring agent is known; pin it after describe-addon-versions",
    },
    tags: { environment: config.environment, "managed-by": "capstan" },
  });
  new InferencePlatform("inference", { cluster, platform: inferencePlatform(config) });
  return { clusterName: cluster.name, clusterEndpoint: cluster.endpoint };
}
