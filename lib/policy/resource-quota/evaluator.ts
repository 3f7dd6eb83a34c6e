import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ScopeRequirement } from './scopes.ts';
import type { Usage } from '#lib/component-helpers/resource/resource-list.ts';

/** A write that may change what is used. */
export interface Write {
  /** As admission names it. */
  readonly operation: string;
  readonly subresource: string;
  readonly object: JsonObject;
  readonly oldObject?: JsonObject;
}

/** How the objects of one resource count: upstream's quota.Evaluator. */
export interface Evaluator {
  readonly group: string;
  readonly resource: string;
  /** Whether the write can change what is used. */
  handles(write: Write): boolean;
  /** Whether this is a resource name that these objects count for. */
  counts(name: string): boolean;
  /** What an object uses at a time (milliseconds). */
  usage(object: JsonObject, now: number): Usage;
  /** Where no scope is known: false, so that quotas with scopes do not apply. */
  inScope(object: JsonObject, requirement: ScopeRequirement): boolean;
  /** Whether scopes that are limited by configuration need a quota that covers them. */
  readonly hasScopes: boolean;
  /** What an object must say where these are limited; undefined where it does. */
  constraint?(object: JsonObject, limited: readonly string[]): string | undefined;
}
