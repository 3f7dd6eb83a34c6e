import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import type { DiscoveredVersion } from '#lib/server/endpoints/discovery/resource-list.ts';
import type { Handler } from '#lib/server/endpoints/filters/filter.ts';
import type { Priorities } from './priorities.ts';

/** A group version that a function serves. */
export interface FunctionApi {
  readonly priorities: Priorities;
  readonly version: DiscoveredVersion;
  /** Changes with the document. */
  readonly revision: string;
  /** Returns the OpenAPI v3 document. */
  document(): JsonObject;
  /** Responds to every request below the group version. */
  readonly handle: Handler;
}

/** The group versions that functions currently serve. */
export interface FunctionApis {
  find(groupVersion: GroupVersion): Promise<FunctionApi | undefined>;
  /** Returns the identical array until one of them changes. */
  all(): Promise<readonly FunctionApi[]>;
}
