/** How EC2 sells the nodes. */
export type Capacity =
  | "on-demand"
  | "spot"
  | { readonly kind: "capacity-block"; readonly reservationId: string }
  | { readonly kind: "reservation"; readonly reservationId: string };

/** A purchased Capacity Block for ML. One zone; EKS scales the group to zero 40 minutes before the block ends. */
export function capacityBlock(reservationId: string): Capacity {
  return Object.freeze({ kind: "capacity-block", reservationId });
}

/** An on-demand capacity reservation (`cr-...`), paid whether used or not. */
export function reservation(reservationId: string): Capacity {
  return Object.freeze({ kind: "reservation", reservationId });
}

export type CapacityKind = "on-demand" | "spot" | "capacity-block" | "reservation";

export function capacityKind(capacity: Capacity): CapacityKind {
  return typeof capacity === "string" ? capacity : capacity.kind;
}
