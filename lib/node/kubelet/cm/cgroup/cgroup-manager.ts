import type { CgroupName } from './cgroup-name.ts';
import type { ResourceConfig } from './resource-config.ts';

/** The cgroups of the machine (upstream: cm.CgroupManager). Methods reject where the kernel refuses. */
export interface CgroupManager {
  /** The version of cgroups: 1, or 2 for the unified hierarchy. */
  readonly version: 1 | 2;
  /** Makes a cgroup in every hierarchy, and sets its resources. Its parent exists. */
  create(name: CgroupName, config: ResourceConfig): Promise<void>;
  /** Sets the resources of a cgroup that exists. */
  update(name: CgroupName, config: ResourceConfig): Promise<void>;
  /** The memory or CPU that a cgroup is bound to. */
  config(name: CgroupName, resource: 'memory' | 'cpu'): Promise<ResourceConfig>;
  /** Removes a cgroup without processes, with all below it. Does nothing where there is none. */
  destroy(name: CgroupName): Promise<void>;
  /** Rejects with the hierarchies or controllers that lack the cgroup. */
  validate(name: CgroupName): Promise<void>;
  /** Processes in the cgroup and below it, in rising order. */
  pids(name: CgroupName): Promise<number[]>;
  /** The cgroups right below one, in any hierarchy. */
  children(name: CgroupName): Promise<CgroupName[]>;
  /** Bytes of memory that the cgroup uses. */
  memoryUsage(name: CgroupName): Promise<number>;
  /** The path of a cgroup below the mount, in the driver's form. */
  path(name: CgroupName): string;
  /** The name of the cgroup at a path in the driver's form. */
  name(path: string): CgroupName;
  /** Sizes of huge pages as the kernel names them: `2MB`. */
  hugePageSizes(): readonly string[];
}
