import type { JsonObject } from '#lib/machinery/json-value.ts';

/** Values that a write has allocated from the cluster's pools before its outcome is known. */
export interface Allocation {
  /** Called after the object was stored. Releases the values that the object no longer uses. */
  commit(): Promise<void>;
  /** Called if the object was not stored. Releases the allocated values. */
  revert(): Promise<void>;
}

/** The fields of a request that pools need. */
export interface AllocationContext {
  readonly cluster: string;
  readonly namespace: string;
  readonly now: Date;
  readonly dryRun: boolean;
}

/** Allocates cluster-wide unique values and writes them into objects: upstream's BeginCreate, BeginUpdate and AfterDelete. */
export interface Allocator {
  /** Allocates the values that the object needs and writes them into it. `old` is present on an update. Throws 422 if a value is taken. */
  allocate(object: JsonObject, old: JsonObject | undefined, context: AllocationContext): Promise<Allocation>;
  /** Releases the values of a deleted object. */
  release(object: JsonObject, context: AllocationContext): Promise<void>;
}
