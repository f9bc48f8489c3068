import { expect, test } from "vitest";
import { loadBalancerControllerPolicy } from "./load-balancer-controller.ts";

const { Statement } = loadBalancerControllerPolicy({ clusterName: "prod", region: "eu-central-1", vpcId: "vpc-1" });

test("changes nothing that does not carry this cluster's name", () => {
  const changing = Statement.filter(({ Action }) => Action.some((action) => !/:(Describe|List|Get)/.test(action)));
  const free = changing
    .filter(({ Condition }) => !/[/"]prod"/.test(JSON.stringify(Condition ?? {})))
    .map(({ Sid }) => Sid);
  // The VPC has no tag of the cluster's: its id is named. The linked role belongs to the AWS service.
  expect(free).toEqual(["CreateServiceLinkedRole", "CreateSecurityGroupInVpc"]);
  const inVpc = Statement.find(({ Sid }) => Sid === "CreateSecurityGroupInVpc");
  expect(inVpc?.Resource).toEqual(["arn:aws:ec2:eu-central-1:*:vpc/vpc-1"]);
});

test("allows nothing of the services that it is installed without", () => {
  const services = new Set(Statement.flatMap(({ Action }) => Action.map((action) => action.split(":")[0])));
  expect([...services].sort()).toEqual(["acm", "ec2", "elasticloadbalancing", "iam"]);
});

test("fits into one inline policy of a role", () => {
  const document = JSON.stringify({ Version: "2012-10-17", Statement });
  // IAM's limit for all inline policies of a role, without white space.
  expect(document.length).toBeLessThan(10_240);
});

test("every statement has a name of its own", () => {
  const sids = Statement.map(({ Sid }) => Sid);
  expect(new Set(sids).size).toBe(sids.length);
});
