import type { ResolvedPool } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { bottlerocketSettings } from "./bottlerocket.ts";
import { nodeConfig, nodeConfigMessage } from "./node-config.ts";
import { type ClusterCoordinates, ubuntuScript } from "./ubuntu.ts";

/** Base64 user data of a pool's launch template; undefined where EKS has nothing to be told. */
export function userData(
  pool: ResolvedPool,
  cluster: { readonly [K in keyof ClusterCoordinates]: pulumi.Output<string> },
): pulumi.Input<string> | undefined {
  switch (pool.ami.family) {
    case "al2023": {
      const config = nodeConfig(pool);
      return config === null ? undefined : base64(nodeConfigMessage(config));
    }
    case "bottlerocket": {
      const settings = bottlerocketSettings(pool);
      return settings === null ? undefined : base64(settings);
    }
    case "ubuntu":
      return pulumi
        .all([cluster.name, cluster.endpoint, cluster.certificateAuthority])
        .apply(([name, endpoint, certificateAuthority]) =>
          base64(ubuntuScript(pool, { name, endpoint, certificateAuthority })),
        );
  }
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
