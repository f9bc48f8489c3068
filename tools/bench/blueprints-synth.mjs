// Synthesises what is comparable with the reference platform in cdk-eks-blueprints: one cluster, four node groups, four
// add-ons. Runs inside the folder that bench.ts installs the library into; plain JavaScript, since CDK has types of its own.
import { createRequire } from "node:module";
import { join } from "node:path";

const load = createRequire(join(process.cwd(), "package.json"));
const blueprints = load("@aws-quickstart/eks-blueprints");
const cdk = load("aws-cdk-lib");
const { KubernetesVersion, NodegroupAmiType } = load("aws-cdk-lib/aws-eks");
const { InstanceType } = load("aws-cdk-lib/aws-ec2");

const version = KubernetesVersion.of("1.33");
const nodeGroup = (id, type, amiType) => ({
  id,
  instanceTypes: [new InstanceType(type)],
  amiType,
  minSize: 0,
  maxSize: 4,
  desiredSize: 1,
});
const gpu = NodegroupAmiType.AL2023_X86_64_NVIDIA;

const app = new cdk.App({ outdir: "synthesised" });
blueprints.EksBlueprint.builder()
  .account("123456789012")
  .region("us-east-1")
  .clusterProvider(
    new blueprints.GenericClusterProvider({
      version,
      managedNodeGroups: [
        nodeGroup("l40s", "g6e.2xlarge", gpu),
        nodeGroup("h100", "p5.4xlarge", gpu),
        nodeGroup("l4", "g6.2xlarge", gpu),
        nodeGroup("amx", "c7i.8xlarge", NodegroupAmiType.AL2023_X86_64_STANDARD),
      ],
    }),
  )
  .addOns(
    new blueprints.addons.MetricsServerAddOn(),
    new blueprints.addons.ClusterAutoScalerAddOn(),
    new blueprints.addons.KedaAddOn(),
    new blueprints.addons.GpuOperatorAddon(),
  )
  .build(app, "bench");
const template = app.synth().getStackByName("bench").template;
console.log(`${Object.keys(template.Resources).length} resources`);
