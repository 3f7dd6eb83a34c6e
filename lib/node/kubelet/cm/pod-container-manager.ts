import type { Pod } from '#lib/api/types/core.v1.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { qosClassOf } from '../qos/policy.ts';
import type { CgroupManager } from './cgroup/cgroup-manager.ts';
import { type CgroupName, newCgroupName } from './cgroup/cgroup-name.ts';
import { MIN_SHARES, type ResourceConfig, resourceConfigForPod } from './cgroup/resource-config.ts';
import { existsCgroup, type QOSContainerManager } from './qos-container-manager.ts';

/** The names of pod cgroups are this prefix and the uid. */
const PREFIX = 'pod';
const KILL_ATTEMPTS = 5;

/** The settings of pod cgroups. */
export interface PodContainerConfig {
  readonly cgroups: CgroupManager;
  readonly qos: QOSContainerManager;
  /** Maximum number of processes in a pod, 0 or less for no limit. */
  readonly podPidsLimit: number;
  /** Whether CPU limits are enforced (`cpuCFSQuota`). */
  readonly enforceCPULimits: boolean;
  /** CFS quota period in microseconds. */
  readonly cpuCFSQuotaPeriod: bigint;
  /** Whether a container of the pod has exclusive CPUs. A quota would throttle it. */
  hasExclusiveCPUs(pod: Pod): boolean;
  /** Kills a process. Throws if that fails, except for a process that no longer exists. */
  kill(pid: number): void;
}

/** The cgroups of pods (upstream: PodContainerManager). */
export class PodContainerManager {
  readonly #config: PodContainerConfig;

  constructor(config: PodContainerConfig) {
    this.#config = config;
  }

  /** The cgroup of a pod, and its path below the mount in the driver's format. */
  podContainerName(pod: Pod): { readonly name: CgroupName; readonly path: string } {
    const { cgroups, qos } = this.#config;
    const name = newCgroupName(qos.parentOf(qosClassOf(pod)), `${PREFIX}${pod.metadata.uid}`);
    return { name, path: cgroups.path(name) };
  }

  exists(pod: Pod): Promise<boolean> {
    return existsCgroup(this.#config.cgroups, this.podContainerName(pod).name);
  }

  /** Creates the cgroup with the pod's limits, unless it exists. Returns whether it was created. Rejects with upstream's text. */
  async ensureExists(pod: Pod): Promise<boolean> {
    const { cgroups, podPidsLimit, enforceCPULimits, cpuCFSQuotaPeriod, hasExclusiveCPUs } = this.#config;
    if (await this.exists(pod)) return false;
    const { name } = this.podContainerName(pod);
    const config = resourceConfigForPod(pod, {
      enforceCPULimits: enforceCPULimits && !hasExclusiveCPUs(pod),
      cpuCFSQuotaPeriod,
    });
    const pids = podPidsLimit > 0 ? { pidsLimit: BigInt(podPidsLimit) } : {};
    await cgroups.create(name, { ...config, ...pids }).catch((error: unknown) => {
      throw new Error(`failed to create container for [${name.join(' ')}] : ${messageOfError(error)}`, {
        cause: error,
      });
    });
    return true;
  }

  /** The memory or CPU limits of a pod's cgroup. */
  config(pod: Pod, resource: 'memory' | 'cpu'): Promise<ResourceConfig> {
    return this.#config.cgroups.config(this.podContainerName(pod).name, resource);
  }

  /** Changes the settings of an existing cgroup. */
  setConfig(pod: Pod, config: ResourceConfig): Promise<void> {
    return this.#config.cgroups.update(this.podContainerName(pod).name, config);
  }

  /** The memory usage of the pod in bytes. */
  memoryUsage(pod: Pod): Promise<number> {
    return this.#config.cgroups.memoryUsage(this.podContainerName(pod).name);
  }

  /** Kills all processes of the cgroup, then removes it. Rejects with upstream's text. */
  async destroy(name: CgroupName): Promise<void> {
    const text = `[${name.join(' ')}]`;
    const failures = this.#kill(await this.#config.cgroups.pids(name));
    if (failures.length > 0)
      throw new Error(`failed to kill all the processes attached to the ${text} cgroups : ${aggregateText(failures)}`);
    await this.#config.cgroups.destroy(name).catch((error: unknown) => {
      throw new Error(`failed to delete cgroup paths for ${text} : ${messageOfError(error)}`, { cause: error });
    });
  }

  /** Reduces the CPU limits of the cgroup to the minimum. */
  reduceCPULimits(name: CgroupName): Promise<void> {
    return this.#config.cgroups.update(name, { cpuShares: MIN_SHARES });
  }

  /** The pods with cgroups, by uid. */
  async allPodsFromCgroups(): Promise<ReadonlyMap<string, CgroupName>> {
    const found = new Map<string, CgroupName>();
    for (const parent of this.#config.qos.parents()) {
      for (const name of await this.#config.cgroups.children(parent)) {
        const uid = uidOf(name);
        if (uid !== undefined) found.set(uid, name);
      }
    }
    return found;
  }

  /** The uid of the pod whose cgroup is at a path, or undefined if it belongs to no pod. */
  isPodCgroup(path: string): string | undefined {
    const name = this.#config.cgroups.name(path);
    const isBelow = this.#config.qos.parents().some((parent) => name.length === parent.length + 1);
    return isBelow ? uidOf(name) : undefined;
  }

  /**
   * Removes the cgroups of deleted pods. Those with remaining volumes stay with minimal CPU, because the memory of such volumes would be
   * charged to all pods. Reports failures, and retries them on the next call.
   */
  async cleanupOrphans(
    known: ReadonlySet<string>,
    hasVolumes: (uid: string) => boolean,
    onFault: (error: unknown) => void,
  ): Promise<void> {
    for (const [uid, name] of await this.allPodsFromCgroups()) {
      if (known.has(uid)) continue;
      await (hasVolumes(uid) ? this.reduceCPULimits(name) : this.destroy(name)).catch(onFault);
    }
  }

  #kill(pids: readonly number[]): string[] {
    let rest = [...pids];
    let failures: string[] = [];
    for (let attempt = 0; attempt < KILL_ATTEMPTS && rest.length > 0; attempt += 1) {
      failures = [];
      rest = rest.filter((pid) => {
        try {
          this.#config.kill(pid);
          return false;
        } catch (error) {
          failures.push(messageOfError(error));
          return true;
        }
      });
    }
    return failures;
  }
}

/** The uid in the name of a pod's cgroup, or undefined for other cgroups. */
function uidOf(name: CgroupName): string | undefined {
  const parts = (name.at(-1) ?? '').split(PREFIX);
  return parts.length === 2 && parts[0] === '' ? parts[1] : undefined;
}
