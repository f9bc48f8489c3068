import { Provider } from "@pulumi/kubernetes/provider.js";
import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { EVERYTHING } from "../testing/cluster.ts";
import { only, record } from "../testing/record.ts";
import { EksCluster } from "./eks-cluster.ts";
import { type ExistingCluster, serverOf } from "./existing-cluster.ts";

const coordinates = { endpoint: "https://prod.example.com", certificateAuthority: "Q0E=" };
const common = { clusterName: "prod", region: "eu-central-1", subnetIds: ["subnet-1"], has: EVERYTHING };

const settled = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

// NODE-20: a library that takes a cluster registers none.
test("registers a provider, and nothing of AWS", async () => {
  const registered = await record(() => {
    EksCluster.fromExisting("prod", { ...common, ...coordinates });
  });
  expect(registered.map(({ type }) => type)).toEqual([
    "capstan:eks:ExistingCluster",
    "pulumi:providers:kubernetes",
    "pulumi:pulumi:Stack",
  ]);
  expect(only(registered, "pulumi:providers:kubernetes").inputs).toMatchObject({
    clusterIdentifier: "https://prod.example.com",
    enableConfigMapMutable: "true",
  });
});

test("uses a provider that is given", async () => {
  const registered = await record(() => {
    const provider = new Provider("own", { kubeconfig: "{}" });
    const cluster = EksCluster.fromExisting("prod", { ...common, ...coordinates, provider });
    expect(cluster.provider).toBe(provider);
  });
  expect(only(registered, "pulumi:providers:kubernetes").name).toBe("own");
});

const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: second
contexts:
  - { name: first, context: { cluster: a, user: u } }
  - { name: second, context: { cluster: b, user: u } }
clusters:
  - { name: a, cluster: { server: https://a.example.com, certificate-authority-data: QQ== } }
  - { name: b, cluster: { server: https://b.example.com, certificate-authority-data: Qg== } }
users: []
`;

test("reads endpoint and authority out of a kubeconfig, which it uses as it is", async () => {
  let cluster: ExistingCluster | undefined;
  const registered = await record(() => {
    cluster = EksCluster.fromExisting("prod", { ...common, kubeconfig: KUBECONFIG });
  });
  expect(await settled(cluster!.endpoint)).toBe("https://b.example.com");
  expect(await settled(cluster!.certificateAuthority)).toBe("Qg==");
  expect(only(registered, "pulumi:providers:kubernetes").inputs.kubeconfig).toBe(KUBECONFIG);
});

test("a kubeconfig that names no cluster says so", () => {
  for (const text of ["", "clusters: []", "clusters: [{ name: a, cluster: { server: https://a } }]"]) {
    expect(() => serverOf(text)).toThrow("give endpoint and certificateAuthority instead");
  }
});

test("credentials are those of a role or profile, never a token", async () => {
  const registered = await record(() => {
    const roleArn = pulumi.output("arn:aws:iam::111122223333:role/deploy");
    EksCluster.fromExisting("prod", { ...common, ...coordinates, credentials: { roleArn, profile: "prod" } });
  });
  const provider = only(registered, "pulumi:providers:kubernetes").inputs as { kubeconfig: string };
  expect(JSON.parse(provider.kubeconfig).users[0].user.exec).toMatchObject({
    args: expect.arrayContaining(["--role-arn", "arn:aws:iam::111122223333:role/deploy"]),
    env: [{ name: "AWS_PROFILE", value: "prod" }],
  });
});

test("says nothing that it was not told", () => {
  return record(() => {
    const cluster = EksCluster.fromExisting("prod", { ...common, ...coordinates });
    expect([cluster.vpcId, cluster.nodeSecurityGroupId, cluster.nodeRoleArn]).toEqual([null, null, null]);
    expect([cluster.kubernetes, cluster.production]).toEqual(["1.34", false]);
    const { vpcCniRole: _, ...has } = EVERYTHING;
    const other = EksCluster.fromExisting("other", { ...common, ...coordinates, has });
    expect(other.features.vpcCniRole).toBe(false);
  });
});
