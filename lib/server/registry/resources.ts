import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { ResourceDefinition } from './resource.ts';

/** Finds served resources. */
export interface Resources {
  /** Returns the resource, or undefined if it is not served. */
  find(gvr: GroupVersionResource): Promise<ResourceDefinition | undefined>;
}

/** A served custom group version and its resources by name. */
export interface CustomVersion {
  readonly group: string;
  readonly version: string;
  readonly definitions: readonly ResourceDefinition[];
}

/** The resources of established CustomResourceDefinitions. */
export interface CustomResources extends Resources {
  /**
   * Every served group version, sorted by group name with the preferred version first. An unchanged result, and each unchanged version in
   * it, is the same JavaScript object as before, so callers can cache derived values. The definitions only describe resources. Call `find`
   * to read or write objects. With `recent`, the result is at most one second old.
   */
  versions(options?: { recent: boolean }): Promise<readonly CustomVersion[]>;
}
