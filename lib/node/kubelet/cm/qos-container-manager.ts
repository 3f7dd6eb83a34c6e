import type { Pod } from '#lib/api/types/core.v1.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { milliValue } from '#lib/machinery/resource/quantities.ts';
import { qosClassOf } from '../qos/policy.ts';
import type { CgroupManager } from './cgroup/cgroup-manager.ts';
import { type CgroupName, newCgroupName } from './cgroup/cgroup-name.ts';
import { MIN_SHARES, type ResourceConfig } from './cgroup/resource-config.ts';
import { milliCPUToShares } from './cpu-shares.ts';

/** A limit in bytes that no machine reaches: only pods limit huge pages, not the QoS cgroups. */
const UNBOUNDED = 1n << 62n;

/**
 * The cgroups of the QoS classes below the cgroup of all pods (upstream: QOSContainerManager). Guaranteed pods are direct children of the
 * root.
 */
export class QOSContainerManager {
  readonly #cgroups: CgroupManager;
  readonly root: CgroupName;

  /** `root` is the cgroup of all pods. */
  constructor(cgroups: CgroupManager, root: CgroupName) {
    this.#cgroups = cgroups;
    this.root = root;
  }

  /** The parent cgroup for pods of a class. */
  parentOf(qosClass: string): CgroupName {
    return qosClass === 'Guaranteed' ? this.root : newCgroupName(this.root, qosClass.toLowerCase());
  }

  /** The parent cgroups of pods. */
  parents(): CgroupName[] {
    return ['BestEffort', 'Burstable', 'Guaranteed'].map((qosClass) => this.parentOf(qosClass));
  }

  /** Creates the cgroups, or updates existing ones. Rejects with upstream's text. */
  async start(): Promise<void> {
    await this.#cgroups.validate(this.root).catch((error: unknown) => {
      throw new Error(`error validating root container [${this.root.join(' ')}] : ${messageOfError(error)}`, {
        cause: error,
      });
    });
    for (const qosClass of ['Burstable', 'BestEffort']) {
      const config = { ...this.#hugePages(), ...(qosClass === 'BestEffort' ? { cpuShares: MIN_SHARES } : {}) };
      await this.#createOrUpdate(qosClass, config);
    }
  }

  /** Sets the CPU shares of class Burstable from the requests of its pods. Upstream does this every minute, and when pods are added. */
  async updateCgroups(activePods: readonly Pod[]): Promise<void> {
    const requests = activePods
      .filter((pod) => qosClassOf(pod) === 'Burstable')
      .map((pod) => milliValue(podResources({ ...pod, status: {} }, 'requests').get('cpu') ?? '0'));
    const total = requests.reduce((sum, request) => sum + request, 0n);
    await this.#cgroups.update(this.root, this.#hugePages());
    await this.#cgroups.update(this.parentOf('Burstable'), {
      ...this.#hugePages(),
      cpuShares: milliCPUToShares(total),
    });
    await this.#cgroups.update(this.parentOf('BestEffort'), { ...this.#hugePages(), cpuShares: MIN_SHARES });
  }

  async #createOrUpdate(qosClass: string, config: ResourceConfig): Promise<void> {
    const name = this.parentOf(qosClass);
    const exists = await existsCgroup(this.#cgroups, name);
    try {
      await (exists ? this.#cgroups.update(name, config) : this.#cgroups.create(name, config));
    } catch (error) {
      const what = `failed to ${exists ? 'update' : 'create'} top level ${qosClass} QOS cgroup`;
      throw new Error(`${what} : ${messageOfError(error)}`, { cause: error });
    }
  }

  #hugePages(): ResourceConfig {
    return { hugePageLimits: new Map(this.#cgroups.hugePageSizes().map((size) => [size, UNBOUNDED])) };
  }
}

/** Whether a cgroup exists in every hierarchy. */
export const existsCgroup = (cgroups: CgroupManager, name: CgroupName): Promise<boolean> =>
  cgroups.validate(name).then(
    () => true,
    () => false,
  );
