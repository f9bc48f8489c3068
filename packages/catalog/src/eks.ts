import { lazy, once, provenanceOf } from "./load.ts";
import type { EksFacts } from "./platform-facts.ts";

const document = lazy<Omit<EksFacts, "provenance">>("eks");

/** What EKS and its node images look like: AMI types, pins, what the kubelet keeps back. */
export const eks: () => EksFacts = once(() => Object.freeze({ ...document(), provenance: provenanceOf(document()) }));
