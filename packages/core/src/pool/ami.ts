import type { AmiFamily } from "./props.ts";

/** `amiType` of the EKS API for a managed node group. */
export function amiType(family: AmiFamily, arch: "amd64" | "arm64", nvidia: boolean): string {
  switch (family) {
    case "al2023": {
      const architecture = arch === "arm64" ? "ARM_64" : "x86_64";
      return `AL2023_${architecture}_${nvidia ? "NVIDIA" : "STANDARD"}`;
    }
    case "bottlerocket": {
      const architecture = arch === "arm64" ? "ARM_64" : "x86_64";
      return `BOTTLEROCKET_${architecture}${nvidia ? "_NVIDIA" : ""}`;
    }
    case "ubuntu":
      return "CUSTOM";
  }
}
