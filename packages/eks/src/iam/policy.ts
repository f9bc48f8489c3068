/** An IAM policy document, as far as this package writes any. Every statement allows, and has a name. */
export interface PolicyDocument {
  readonly Version: "2012-10-17";
  readonly Statement: readonly PolicyStatement[];
}

export interface PolicyStatement {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Action: readonly string[];
  /** Left out in a trust policy. */
  readonly Resource?: readonly string[];
  readonly Principal?: { readonly Service: string };
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export function policyDocument(statements: readonly PolicyStatement[]): PolicyDocument {
  return { Version: "2012-10-17", Statement: statements };
}

export function allow(
  sid: string,
  actions: readonly string[],
  resources: readonly string[],
  condition?: PolicyStatement["Condition"],
): PolicyStatement {
  return {
    Sid: sid,
    Effect: "Allow",
    Action: actions,
    Resource: resources,
    ...(condition && { Condition: condition }),
  };
}

/** Lets an AWS service take the role. */
export function trustPolicy(service: string, statement: Partial<PolicyStatement> = {}): string {
  return JSON.stringify(
    policyDocument([
      { Sid: "Assume", Effect: "Allow", Principal: { Service: service }, Action: ["sts:AssumeRole"], ...statement },
    ]),
  );
}

/** Who may take a role through EKS Pod Identity: one service account of one cluster, nobody else in the AWS account. */
export function podTrustPolicy(pod: {
  readonly clusterName: string;
  readonly namespace: string;
  readonly serviceAccount: string;
}): string {
  return trustPolicy("pods.eks.amazonaws.com", {
    Action: ["sts:AssumeRole", "sts:TagSession"],
    Condition: {
      StringEquals: {
        "aws:RequestTag/eks-cluster-name": pod.clusterName,
        "aws:RequestTag/kubernetes-namespace": pod.namespace,
        "aws:RequestTag/kubernetes-service-account": pod.serviceAccount,
      },
    },
  });
}
