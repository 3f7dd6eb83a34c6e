import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { ResourceDefinition } from './resource.ts';

/** Finds what is served. */
export interface Resources {
  /** The resource, or undefined where it is not served. */
  find(gvr: GroupVersionResource): Promise<ResourceDefinition | undefined>;
}

/** What established CustomResourceDefinitions serve. */
export interface CustomResources extends Resources {
  /** Every served resource and version: groups by name, in each the preferred version first. */
  all(): Promise<readonly ResourceDefinition[]>;
}
