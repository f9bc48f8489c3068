import { Cluster } from "@pulumi/aws/eks/cluster.js";
import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { EVERYTHING } from "../testing/cluster.ts";
import { only, record } from "../testing/record.ts";
import { EksCluster } from "./eks-cluster.ts";
import type { ExistingCluster } from "./existing-cluster.ts";
import type { PulumiEksCluster } from "./pulumi-eks.ts";

const config = {
  clusters: [{ name: "k", cluster: { server: "https://prod.example.com", "certificate-authority-data": "Q0E=" } }],
};

const settled = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

/** What `new eks.Cluster(...)` of @pulumi/eks 4 has. */
function theirs(core: PulumiEksCluster["core"]): PulumiEksCluster {
  const eksCluster = new Cluster("theirs", { name: "prod", roleArn: "arn", vpcConfig: { subnetIds: [] } });
  return { eksCluster: pulumi.output(eksCluster), kubeconfig: pulumi.output(config), ...(core && { core }) };
}

test("takes over what a cluster of @pulumi/eks knows of itself", async () => {
  let cluster: ExistingCluster | undefined;
  const registered = await record(() => {
    const core = pulumi.output({ privateSubnetIds: ["subnet-1", "subnet-2"], subnetIds: ["subnet-9"] });
    cluster = EksCluster.fromPulumiEks("prod", theirs(core), { region: "eu-central-1", has: EVERYTHING });
  });
  expect(await settled(cluster!.name)).toBe("prod");
  expect(await settled(cluster!.endpoint)).toBe("https://prod.example.com");
  expect(await settled(cluster!.nodeSecurityGroupId!)).toBe("sg-cluster");
  expect(await settled(cluster!.vpcId!)).toBe("vpc-1");
  expect(await settled(cluster!.subnets.all)).toEqual(["subnet-1", "subnet-2"]);
  expect(cluster!.subnets.byZone).toBeNull();
  const provider = only(registered, "pulumi:providers:kubernetes").inputs as { kubeconfig: string };
  expect(JSON.parse(provider.kubeconfig)).toEqual(config);
});

test("takes all its subnets where it has no private ones, and yours before its own", async () => {
  let own: ExistingCluster | undefined;
  let given: ExistingCluster | undefined;
  await record(() => {
    const core = pulumi.output({ subnetIds: ["subnet-9"] });
    const args = { region: "eu-central-1", has: EVERYTHING };
    const source = theirs(core);
    own = EksCluster.fromPulumiEks("own", source, args);
    given = EksCluster.fromPulumiEks("given", source, { ...args, subnetIds: { "eu-central-1a": "subnet-a" } });
  });
  expect(await settled(own!.subnets.all)).toEqual(["subnet-9"]);
  expect(Object.keys(given!.subnets.byZone!)).toEqual(["eu-central-1a"]);
});

test("says what is missing where it does not know its subnets", async () => {
  await record(() => {
    expect(() =>
      EksCluster.fromPulumiEks("prod", theirs(undefined), { region: "eu-central-1", has: EVERYTHING }),
    ).toThrow("give subnetIds");
  });
});
