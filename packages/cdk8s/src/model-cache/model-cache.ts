import type { ResolvedPreloader } from "@capstan/core";
import type { ApiObject } from "cdk8s";
import { Construct } from "constructs";
import type { IDaemonSet } from "kubernetes-models/apps/v1";
import type { INetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import type { IConfigMap, IServiceAccount } from "kubernetes-models/v1";
import { createObject, type Transform } from "../object.ts";
import { attachRefs } from "../refs.ts";
import { daemonSet } from "./daemon-set.ts";
import { configMap, networkPolicy, serviceAccount } from "./support.ts";

export interface ModelCacheTransform {
  readonly daemonSet?: Transform<IDaemonSet>;
  readonly configMap?: Transform<IConfigMap>;
  readonly serviceAccount?: Transform<IServiceAccount>;
  readonly networkPolicy?: Transform<INetworkPolicy>;
}

/** The preloader that `platform()` resolved for a pool, alone or with `transform`. */
export type ModelCacheProps =
  | ResolvedPreloader
  | {
      readonly preloader: ResolvedPreloader;
      /** @default - the objects stay as rendered */
      readonly transform?: ModelCacheTransform;
    };

/**
 * The one writer of a pool's node cache: a DaemonSet that keeps the models of the pool's services on every node's NVMe
 * array. Its namespace has to admit `hostPath` volumes (pod security level `privileged`), which is why no team's pod is
 * in it; the services see the same directories through read-only volumes.
 *
 * S3 is read with the identity of its ServiceAccount; a hub token comes from a Secret of the same name and key as the
 * service's, in this namespace.
 */
export class ModelCache extends Construct {
  readonly preloader: ResolvedPreloader;
  readonly daemonSet: ApiObject;

  constructor(scope: Construct, id: string, props: ModelCacheProps) {
    const { preloader, transform = {} } = "preloader" in props ? props : { preloader: props };
    if (preloader.models.length === 0) throw new Error(`preloader "${preloader.name}" has no models; leave it out`);
    super(scope, id);
    this.preloader = preloader;
    createObject(this, "service-account", serviceAccount(preloader), transform.serviceAccount);
    createObject(this, "config-map", configMap(preloader), transform.configMap);
    createObject(this, "network-policy", networkPolicy(preloader), transform.networkPolicy);
    this.daemonSet = createObject(this, "daemon-set", daemonSet(preloader), transform.daemonSet);
    attachRefs(
      this,
      preloader.models.flatMap(({ source }) => (source.kind === "s3" ? [source.bucket] : [])),
    );
  }
}
