import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { ResourceDefinition } from './resource.ts';

/** Finds served resources. */
export interface Resources {
  /** The resource, or undefined where it is not served. */
  find(gvr: GroupVersionResource): Promise<ResourceDefinition | undefined>;
}

/** A custom group version that is served, with its resources by name. */
export interface CustomVersion {
  readonly group: string;
  readonly version: string;
  readonly definitions: readonly ResourceDefinition[];
}

/** The resources that established CustomResourceDefinitions serve. */
export interface CustomResources extends Resources {
  /**
   * Every served group version: groups by name, in each the preferred version first. The answer and each version in it are the
   * very same as before where nothing in them has changed, so that what is derived can be kept with them. Its definitions tell
   * what there is; who is to read or write objects takes that of `find`. `recent`: as of a second ago at most.
   */
  versions(options?: { recent: boolean }): Promise<readonly CustomVersion[]>;
}
