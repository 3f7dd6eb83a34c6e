import type { Spec } from '#lib/api/openapi/spec.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import type { DiscoveredVersion } from './discovery/resource-list.ts';
import type { Handler } from './filters/filter.ts';

/** An OpenAPI document of another server: its path below `/openapi/v3/`, and how the index names it. */
export interface RemoteDocument {
  readonly path: string;
  /** Path and query. */
  readonly serverRelativeURL: string;
  readonly handle: Handler;
}

/** The part of another server's OpenAPI v2 document that is about its group version. */
export interface RemoteSpec extends GroupVersion {
  /** Changes with what it says. */
  readonly etag: string;
  readonly spec: () => Spec;
}

/** The group versions that other servers serve behind this one. */
export interface Aggregation {
  /** The handler of every path of the group version; undefined where no other server serves it. */
  find(groupVersion: GroupVersion): Promise<Handler | undefined>;
  /**
   * The versions that discovery lists, in its order: this server's own, and others. The very same as before while nothing in them has
   * changed. Only `withResources` asks other servers, and waits for those alone that it has never asked.
   */
  discovered(
    own: readonly DiscoveredVersion[],
    options: { readonly withResources: boolean },
  ): Promise<readonly DiscoveredVersion[]>;
  /** The OpenAPI documents of other servers. */
  documents(): Promise<readonly RemoteDocument[]>;
  /** Their parts of the OpenAPI v2 document, in the order in which they are merged. */
  specs(): Promise<readonly RemoteSpec[]>;
}
