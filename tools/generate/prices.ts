import type { RawInstances } from "./raw.ts";

export const regions = ["us-east-1", "us-east-2", "us-west-2", "eu-west-1", "eu-central-1", "ap-northeast-1"] as const;

const LIST_DATE = "2026-07-20";

export function pricesDocument(raw: RawInstances): object {
  return {
    asOf: LIST_DATE,
    sources: [
      "github.com/aws/karpenter-provider-aws@1d927085dd81 pkg/providers/pricing/zz_generated.pricing_aws.go (us-east-1, generated 2026-07-20)",
      "github.com/skypilot-org/skypilot-catalog@2c3d7ea7d76b catalogs/v9/aws/vms.csv (other regions, read in part; the file states no date)",
      "github.com/alexei-led/spotinfo@05e933139449 internal/spot/data/spot-advisor-data.json (2025-06-28)",
    ],
    notes: [
      "USD per hour, Linux, shared tenancy. A region that is missing for a type has no price here; that does not mean that the type is not sold there.",
      "derived: us-east-1 list price x the factor of the family in that region, which was equal within 0.0002 for every pair of sizes read.",
    ],
    regions,
    bases: {
      home: {
        region: "us-east-1",
        asOf: LIST_DATE,
        source: "EC2 price list as aws/karpenter-provider-aws@1d927085dd81 generated it",
      },
      list: { asOf: "2026-08", source: "skypilot-org/skypilot-catalog@2c3d7ea7d76b, an undated snapshot of 2026" },
      derived: {
        asOf: LIST_DATE,
        source: "us-east-1 list price x the family's regional factor of skypilot-org/skypilot-catalog@2c3d7ea7d76b",
      },
    },
    onDemandUsdPerHour: Object.fromEntries(
      Object.entries(raw.instanceTypes).map(([type, instance]) => {
        const list = Object.fromEntries(Object.entries(instance.onDemandUsdPerHour).filter(([, usd]) => usd !== null));
        const derived = instance.onDemandUsdPerHourDerived;
        return [type, derived === undefined ? { list } : { list, derived }];
      }),
    ),
    spot: {
      advisor: {
        asOf: "2025-06-28",
        source: "alexei-led/spotinfo@05e933139449 internal/spot/data/spot-advisor-data.json",
      },
      samples: {
        asOf: "2026-08",
        source: "skypilot-org/skypilot-catalog@2c3d7ea7d76b: lowest and highest zone price of an undated snapshot",
      },
      bands: raw.spotBands.map((band) => band.interruptionsPerMonth),
    },
    spotAdvisor: Object.fromEntries(
      Object.entries(raw.instanceTypes).flatMap(([type, instance]) =>
        instance.spotAdvisor === undefined ? [] : [[type, instance.spotAdvisor]],
      ),
    ),
    spotSamplesUsdPerHour: Object.fromEntries(
      // A sample is read beside the advisor's saving; types that the advisor does not list would never be found.
      Object.entries(raw.pricing.spotUsdPerHourSamples).filter(([type]) => raw.instanceTypes[type]?.spotAdvisor),
    ),
  };
}
