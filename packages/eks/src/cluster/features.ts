/** What a cluster has beside its control plane. */
export interface ClusterFeatures {
  /** CPU figures for horizontal pod autoscalers. */
  readonly metricsServer: boolean;
  /** Driver of EBS volumes: claims of Prometheus and Kubecost stay pending without it. */
  readonly ebsCsi: boolean;
  /** A storage class named `gp3`. */
  readonly gp3StorageClass: boolean;
  /** AWS credentials for pods: cluster-autoscaler and S3 downloads have none without it. */
  readonly podIdentityAgent: boolean;
  /** The VPC CNI enforces NetworkPolicy objects; without that they are inert. */
  readonly networkPolicy: boolean;
  readonly loadBalancerController: boolean;
  /** The VPC CNI has a role of its own. False: nodes need `AmazonEKS_CNI_Policy` on theirs, else none becomes ready. */
  readonly vpcCniRole: boolean;
}
