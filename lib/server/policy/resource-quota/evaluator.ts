import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ScopeRequirement } from './scopes.ts';

/** A write that may change the usage of quotas. */
export interface Write<T extends JsonObject = JsonObject> {
  /** The operation, under admission's name for it. */
  readonly operation: string;
  readonly subresource: string;
  readonly object: T;
  readonly oldObject?: T;
}

/** Computes the usage of one resource's objects: upstream's quota.Evaluator. `T` is the type of the objects. */
export interface Evaluator<T extends JsonObject = JsonObject> {
  readonly group: string;
  readonly resource: string;
  /** Whether the write can change the usage. */
  handles(write: Write<T>): boolean;
  /** Whether objects of this resource count towards the resource name in a quota. */
  counts(name: string): boolean;
  /** Returns the usage of an object at a time in ms since 1970. */
  usage(object: T, now: number): Usage;
  /** Whether the object is in the scope. False for resources without scopes, so that quotas with scopes do not apply. */
  inScope(object: T, requirement: ScopeRequirement): boolean;
  /** Whether scopes limited by configuration need a quota that covers them. */
  readonly hasScopes: boolean;
  /** Returns the reason to reject an object that does not declare its use of the limited resources. Undefined if it does. */
  constraint?(object: T, limited: readonly string[]): string | undefined;
}
