import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ScopeRequirement } from './scopes.ts';

/** A write that may change the usage of quotas. */
export interface Write<T extends JsonObject = JsonObject> {
  /** As admission names it. */
  readonly operation: string;
  readonly subresource: string;
  readonly object: T;
  readonly oldObject?: T;
}

/** How the objects of one resource count: upstream's quota.Evaluator. `T` is the type of the objects. */
export interface Evaluator<T extends JsonObject = JsonObject> {
  readonly group: string;
  readonly resource: string;
  /** Whether the write can change the usage. */
  handles(write: Write<T>): boolean;
  /** Whether this is a resource name that these objects count for. */
  counts(name: string): boolean;
  /** The usage of an object at a time, in milliseconds since 1970. */
  usage(object: T, now: number): Usage;
  /** Where no scope is known: false, so that quotas with scopes do not apply. */
  inScope(object: T, requirement: ScopeRequirement): boolean;
  /** Whether scopes that are limited by configuration need a quota that covers them. */
  readonly hasScopes: boolean;
  /** The refusal of an object that does not say what it needs of the limited resources; undefined where it does. */
  constraint?(object: T, limited: readonly string[]): string | undefined;
}
