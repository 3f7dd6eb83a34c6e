import type { Pod } from '#lib/api/types/core.v1.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { milliValue } from '#lib/machinery/resource/quantities.ts';
import { qosClassOf } from '../qos/policy.ts';
import type { CgroupManager } from './cgroup/cgroup-manager.ts';
import { type CgroupName, newCgroupName } from './cgroup/cgroup-name.ts';
import { MIN_SHARES, type ResourceConfig } from './cgroup/resource-config.ts';
import { milliCPUToShares } from './cpu-shares.ts';

/** Bytes that no machine has: the tiers do not bound huge pages, pods do. */
const UNBOUNDED = 1n << 62n;

/** The cgroups of the QoS classes below the one of all pods (upstream: QOSContainerManager). Guaranteed pods are right below the root. */
export class QOSContainerManager {
  readonly #cgroups: CgroupManager;
  readonly root: CgroupName;

  /** `root`: the cgroup of all pods. */
  constructor(cgroups: CgroupManager, root: CgroupName) {
    this.#cgroups = cgroups;
    this.root = root;
  }

  /** The cgroup that pods of a class are right below. */
  parentOf(qosClass: string): CgroupName {
    return qosClass === 'Guaranteed' ? this.root : newCgroupName(this.root, qosClass.toLowerCase());
  }

  /** The cgroups that pods are right below. */
  parents(): CgroupName[] {
    return ['BestEffort', 'Burstable', 'Guaranteed'].map((qosClass) => this.parentOf(qosClass));
  }

  /** Makes the cgroups, or sets those that exist. Rejects with upstream's text. */
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

  /** Gives the class Burstable CPU shares for the requests of its pods. Upstream does so each minute, and when pods come. */
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

/** Whether a cgroup is in every hierarchy. */
export const existsCgroup = (cgroups: CgroupManager, name: CgroupName): Promise<boolean> =>
  cgroups.validate(name).then(
    () => true,
    () => false,
  );
