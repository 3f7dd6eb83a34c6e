/** Amounts of one pod, or of a node: upstream's Resource. Safe integers; what is beyond counts as the largest. */
export interface Resource {
  /** Thousandths of a processor. */
  milliCpu: number;
  /** Bytes. */
  memory: number;
  /** Bytes. */
  ephemeralStorage: number;
  /** How many pods the node takes; 0 for a pod. */
  allowedPodNumber: number;
  /** Extended resources, huge pages and attachable volumes by name. */
  readonly scalar: Map<string, number>;
}

export const emptyResource = (): Resource => ({
  milliCpu: 0,
  memory: 0,
  ephemeralStorage: 0,
  allowedPodNumber: 0,
  scalar: new Map(),
});

/** Adds `amount`, `sign` times, in place. */
export function addResource(total: Resource, amount: Resource, sign: 1 | -1 = 1): void {
  total.milliCpu += sign * amount.milliCpu;
  total.memory += sign * amount.memory;
  total.ephemeralStorage += sign * amount.ephemeralStorage;
  for (const [name, value] of amount.scalar) total.scalar.set(name, (total.scalar.get(name) ?? 0) + sign * value);
}
