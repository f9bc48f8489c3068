import type { Addon } from "@capstan/addons";
import { chart } from "@capstan/catalog";
import { deepFreeze, type Identity, ref } from "@capstan/core";
import { HelmAddon } from "@capstan/pulumi";
import * as pulumi from "@pulumi/pulumi";
import { loadBalancerControllerPolicy } from "../iam/load-balancer-controller.ts";
import { createPodRole, type PodRoleTransform } from "../iam/pod-role.ts";
import type { Cluster } from "./cluster.ts";

export interface LoadBalancerControllerValues {
  clusterName: Identity;
  region: string;
  vpcId: Identity;
  serviceAccount: { create: boolean; name: string };
  replicaCount: number;
  enableShield: boolean;
  enableWaf: boolean;
  enableWafv2: boolean;
  enableServiceMutatorWebhook: boolean;
  keepTLSSecret: boolean;
}

const NAMESPACE = "aws-load-balancer-controller";
const SERVICE_ACCOUNT = "aws-load-balancer-controller";

export interface LoadBalancerControllerInput {
  readonly cluster: Pick<Cluster, "name" | "region" | "provider"> & { readonly vpcId: pulumi.Output<string> };
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform:
    | {
        readonly podRole?: PodRoleTransform;
        // biome-ignore lint/suspicious/noConfusingVoidType: an in-place edit is written as a function without return.
        readonly loadBalancerController?: (values: LoadBalancerControllerValues) => LoadBalancerControllerValues | void;
      }
    | undefined;
  readonly dependsOn: readonly pulumi.Resource[];
}

/** The AWS Load Balancer Controller, with a role that reaches this cluster's load balancers only. */
export function createLoadBalancerController(
  parent: pulumi.Resource,
  name: string,
  input: LoadBalancerControllerInput,
): HelmAddon<LoadBalancerControllerValues> {
  const { cluster, transform } = input;
  const policy = pulumi
    .all([cluster.name, cluster.vpcId])
    .apply(([clusterName, vpcId]) => loadBalancerControllerPolicy({ clusterName, vpcId, region: cluster.region }));
  const role = createPodRole(parent, name, {
    clusterName: cluster.name,
    namespace: NAMESPACE,
    serviceAccount: SERVICE_ACCOUNT,
    policy,
    managedPolicyArns: [],
    associate: true,
    tags: input.tags,
    transform: transform?.podRole,
  });
  return new HelmAddon(
    name,
    {
      addon: loadBalancerControllerAddon({
        clusterName: ref("cluster-name", cluster.name),
        region: cluster.region,
        vpcId: ref("vpc-id", cluster.vpcId),
      }),
      ...(transform?.loadBalancerController && { transform: transform.loadBalancerController }),
    },
    { parent, provider: cluster.provider, dependsOn: [...input.dependsOn, ...role.resources] },
  );
}

function loadBalancerControllerAddon(
  cluster: Pick<LoadBalancerControllerValues, "clusterName" | "region" | "vpcId">,
): Addon<LoadBalancerControllerValues> {
  return deepFreeze({
    name: "aws-load-balancer-controller",
    chart: chart("aws-load-balancer-controller"),
    releaseName: "aws-load-balancer-controller",
    namespace: { name: NAMESPACE, podSecurity: "baseline" },
    values: {
      // All three are given, because a pod cannot ask the instance metadata service for them: the hop limit is 1.
      ...cluster,
      serviceAccount: { create: true, name: SERVICE_ACCOUNT },
      replicaCount: 2,
      // Their permissions are not given, see loadBalancerControllerPolicy.
      enableShield: false,
      enableWaf: false,
      enableWafv2: false,
      // It would stand in the way of every Service of the cluster while the controller is down or not there yet. A
      // Service asks for a load balancer with `loadBalancerClass: service.k8s.aws/nlb`.
      enableServiceMutatorWebhook: false,
      // A certificate that is made anew at each rendering would be a change in each deployment.
      keepTLSSecret: true,
    },
    crds: "in-chart",
    providesKinds: ["elbv2.k8s.aws/v1beta1 IngressClassParams", "elbv2.k8s.aws/v1beta1 TargetGroupBinding"],
    dependsOn: [],
    timeoutSeconds: 600,
  });
}
