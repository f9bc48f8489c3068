import { ExistingCluster, type ExistingClusterArgs, type ExistingFeatures } from "../cluster/existing-cluster.ts";

export const EVERYTHING: ExistingFeatures = {
  metricsServer: true,
  ebsCsi: true,
  gp3StorageClass: true,
  podIdentityAgent: true,
  networkPolicy: true,
  loadBalancerController: true,
  vpcCniRole: true,
};

/** A cluster with everything, in three zones; made inside a recorded program. */
export function testCluster(change: Partial<ExistingClusterArgs> = {}): ExistingCluster {
  return new ExistingCluster("existing", {
    clusterName: "prod",
    region: "eu-central-1",
    endpoint: "https://prod.example.com",
    certificateAuthority: "Q0EtREFUQQ==",
    subnetIds: { "eu-central-1a": "subnet-a", "eu-central-1b": "subnet-b", "eu-central-1c": "subnet-c" },
    vpcId: "vpc-1",
    nodeSecurityGroupId: "sg-nodes",
    has: EVERYTHING,
    ...change,
  } as ExistingClusterArgs);
}
