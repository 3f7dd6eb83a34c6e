import type { JsonObject } from '#lib/machinery/json-value.ts';

/** Values that a write has taken from the cluster's pools, before it is known whether the write succeeds. */
export interface Allocation {
  /** The object is stored: gives back what it held before and holds no more. */
  commit(): Promise<void>;
  /** The object is not stored: gives back what was taken. */
  revert(): Promise<void>;
}

/** The part of a request that pools need. */
export interface AllocationContext {
  readonly cluster: string;
  readonly namespace: string;
  readonly now: Date;
  readonly dryRun: boolean;
}

/** Values that are unique in the cluster and written into objects: upstream's BeginCreate, BeginUpdate and AfterDelete. */
export interface Allocator {
  /** Takes what the object asks for and writes it into it; `old` on an update. Throws 422 for what is taken. */
  allocate(object: JsonObject, old: JsonObject | undefined, context: AllocationContext): Promise<Allocation>;
  /** Gives back what a deleted object held. */
  release(object: JsonObject, context: AllocationContext): Promise<void>;
}
