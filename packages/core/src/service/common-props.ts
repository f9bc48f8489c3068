import type { Acknowledgements } from "../finding.ts";
import type { SecretKey } from "../model/source.ts";
import type { Pool } from "../pool/props.ts";
import type { Scaling } from "../scaling/props.ts";

/** What the service is asked to do in a day. Without it there is money per month but no token price. */
export interface Traffic {
  readonly requestsPerDay: number;
  /** Mean prompt length. */
  readonly promptTokens: number;
  /** Mean answer length; 0 for embeddings and classifiers. */
  readonly outputTokens: number;
  /** Busiest hour over the mean hour. @default 3 */
  readonly peakToMean?: number;
}

/** What a request must meet in the busiest hour. */
export interface Objective {
  readonly ttftP99Ms?: number;
  readonly interTokenP99Ms?: number;
}

export interface ImageReference {
  /** Without tag: `vllm/vllm-openai`. */
  readonly repository: string;
  /** @default - the tag that the catalog has for the engine version */
  readonly tag?: string;
  /** `sha256:...`; wins over the tag where both are given. */
  readonly digest?: string;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}

export interface SecretEnvironmentVariable {
  readonly name: string;
  readonly secret: SecretKey;
}

/** Namespaces by their exact names, or every one. */
export type IngressNamespaces = readonly string[] | "any";

export interface CommonServiceProps {
  /** DNS label, unique in the team's namespace; becomes the Deployment's and Service's name. */
  readonly name: string;
  /** DNS label; costs are attributed to it. */
  readonly team: string;
  readonly pool: Pool;
  /** @default - the team's name */
  readonly namespace?: string;
  /** @default fixed(1) */
  readonly scaling?: Scaling;
  readonly traffic?: Traffic;
  readonly objective?: Objective;
  readonly image?: ImageReference;
  /** Whole vCPUs of the container, requests and limits alike. @default - derived, see `capstan explain` */
  readonly cpus?: number;
  /** Container memory, requests and limits alike. @default - derived from the weights */
  readonly memoryGib?: number;
  /** Seconds that a request may still run after the pod is told to stop. @default 120 */
  readonly drainSeconds?: number;
  readonly environmentVariables?: readonly EnvironmentVariable[];
  /** Variables whose values are in a Secret of the service's namespace, such as `VLLM_API_KEY`. */
  readonly secretEnvironmentVariables?: readonly SecretEnvironmentVariable[];
  /**
   * Namespaces whose pods may call this service besides those of its own: a gateway's, other teams'. `any` lets in every
   * pod of the cluster. Takes the place of what the platform says. What is not let in gets no answer until its request
   * times out; Prometheus may scrape always.
   * @default - none but its own, or what the platform says
   */
  readonly ingressNamespaces?: IngressNamespaces;
  readonly acknowledge?: Acknowledgements;
}
