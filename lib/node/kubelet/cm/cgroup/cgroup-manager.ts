import type { CgroupName } from './cgroup-name.ts';
import type { ResourceConfig } from './resource-config.ts';

/** The cgroups of the machine (upstream: cm.CgroupManager). Methods reject if the kernel refuses. */
export interface CgroupManager {
  /** The version of cgroups: 1, or 2 for the unified hierarchy. */
  readonly version: 1 | 2;
  /** Creates a cgroup in every hierarchy and sets its resources. Its parent must exist. */
  create(name: CgroupName, config: ResourceConfig): Promise<void>;
  /** Sets the resources of an existing cgroup. */
  update(name: CgroupName, config: ResourceConfig): Promise<void>;
  /** The memory or CPU limits of a cgroup. */
  config(name: CgroupName, resource: 'memory' | 'cpu'): Promise<ResourceConfig>;
  /** Removes a cgroup without processes, and all cgroups below it. Does nothing if it does not exist. */
  destroy(name: CgroupName): Promise<void>;
  /** Rejects with the hierarchies or controllers in which the cgroup is missing. */
  validate(name: CgroupName): Promise<void>;
  /** Processes in the cgroup and below it, in ascending order. */
  pids(name: CgroupName): Promise<number[]>;
  /** The direct children of a cgroup, in any hierarchy. */
  children(name: CgroupName): Promise<CgroupName[]>;
  /** The memory usage of the cgroup in bytes. */
  memoryUsage(name: CgroupName): Promise<number>;
  /** The path of a cgroup below the mount, in the driver's format. */
  path(name: CgroupName): string;
  /** The name of the cgroup at a path in the driver's format. */
  name(path: string): CgroupName;
  /** Sizes of huge pages in the kernel's notation: `2MB`. */
  hugePageSizes(): readonly string[];
}
