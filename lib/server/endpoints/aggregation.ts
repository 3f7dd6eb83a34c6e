import type { Spec } from '#lib/api/openapi/spec.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import type { DiscoveredVersion } from './discovery/resource-list.ts';
import type { Handler } from './filters/filter.ts';

/** An OpenAPI document of another server: its path below `/openapi/v3/`, and its URL in the index. */
export interface RemoteDocument {
  readonly path: string;
  /** Path and query. */
  readonly serverRelativeURL: string;
  readonly handle: Handler;
}

/** The part of another server's OpenAPI v2 document that covers its group version. */
export interface RemoteSpec extends GroupVersion {
  /** Changes with the content. */
  readonly etag: string;
  readonly spec: () => Spec;
}

/** The group versions that this server proxies to other servers. */
export interface Aggregation {
  /** Returns the handler of every path of the group version. Undefined if no other server serves it. */
  find(groupVersion: GroupVersion): Promise<Handler | undefined>;
  /**
   * Returns the versions that discovery lists, in its order: this server's own versions and those of other servers. Returns the identical
   * array until something changes. Contacts other servers only if `withResources` is set. Waits only for servers that it has never
   * contacted.
   */
  discovered(
    own: readonly DiscoveredVersion[],
    options: { readonly withResources: boolean },
  ): Promise<readonly DiscoveredVersion[]>;
  /** The OpenAPI documents of other servers. */
  documents(): Promise<readonly RemoteDocument[]>;
  /** The parts of other servers in the OpenAPI v2 document, in merge order. */
  specs(): Promise<readonly RemoteSpec[]>;
}
