import { readFile } from 'node:fs/promises';
import { systemClock } from '#adapters/clock.ts';
import { cgroupMountsOf, HostCgroups } from '#adapters/node/host/cgroup/cgroup.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import type { KubeletConfiguration } from '#lib/node/kubelet/apis/config/types.ts';
import type { CgroupManager } from '#lib/node/kubelet/cm/cgroup/cgroup-manager.ts';
import { createNodeAllocatableCgroups, enforceNodeAllocatable } from '#lib/node/kubelet/cm/node-container-manager.ts';
import { PodContainerManager } from '#lib/node/kubelet/cm/pod-container-manager.ts';
import { QOSContainerManager } from '#lib/node/kubelet/cm/qos-container-manager.ts';
import type { EventSubject, NodeEventRecorder } from '#lib/node/kubelet/events/recorder.ts';
import type { PodCgroups } from '#lib/node/kubelet/kubelet-ports.ts';
import type { PodCgroupConfigs } from '#lib/node/kubelet/kuberuntime/runtime-ports.ts';
import { hugePageSizes } from './settings.ts';

/** Interval in ms between corrections of the cgroups of the QoS classes. */
const PERIOD = 60_000;

/** The cgroups of this machine. Rejects if no cgroups are mounted. */
export async function hostCgroups({ cgroupDriver }: KubeletConfiguration): Promise<CgroupManager> {
  const mounts = cgroupMountsOf(await readFile('/proc/self/mountinfo', 'utf8'));
  const driver = cgroupDriver === 'systemd' ? 'systemd' : 'cgroupfs';
  return new HostCgroups({
    mounts,
    driver,
    hugePageSizes: hugePageSizes(),
    sleep: (milliseconds) => systemClock.sleep(milliseconds),
  });
}

/** The inputs of the cgroups of pods. */
export interface NodeCgroupsOptions {
  readonly configuration: KubeletConfiguration;
  readonly cgroups: CgroupManager;
  /** The resources available to all pods together. */
  readonly amounts: Usage;
  readonly recorder: NodeEventRecorder;
  readonly node: EventSubject;
  hasVolumes(uid: string): boolean;
  hasExclusiveCPUs(pod: Pod): boolean;
  activePods(): readonly Pod[];
  onFault(error: unknown): void;
}

/** The cgroups of pods on this node. With `cgroupsPerQOS: false` none exist, and the runtime decides where to place containers. */
export interface NodeCgroups extends PodCgroups, PodCgroupConfigs {
  /** The memory that a pod uses, in bytes. Undefined without pod cgroups. */
  memoryUsage(pod: Pod): Promise<number | undefined>;
  /** The parent cgroup of a pod's containers in the runtime's format. '' without one. */
  parentOf(pod: Pod): string;
  /** The path of the cgroup of all pods. '' without one. */
  readonly root: string;
  /** Creates the cgroups of all pods and of the QoS classes, and keeps them correct until the signal aborts. */
  start(signal: AbortSignal): Promise<() => Promise<void>>;
}

const NONE: NodeCgroups = {
  parentOf: () => '',
  root: '',
  start: async () => async () => undefined,
  ensureExists: async () => false,
  config: async () => ({}),
  setConfig: async () => undefined,
  memoryUsage: async () => undefined,
  destroy: async () => undefined,
  cleanupOrphans: async () => undefined,
};

/** Creates the manager of pods' cgroups. */
export function nodeCgroups(options: NodeCgroupsOptions): NodeCgroups {
  const { configuration, cgroups, amounts, recorder, node, onFault } = options;
  if (!configuration.cgroupsPerQOS) return NONE;
  const root = [...configuration.cgroupRoot.split('/').filter((part) => part !== ''), 'kubepods'];
  const qos = new QOSContainerManager(cgroups, root);
  const pods = new PodContainerManager({
    cgroups,
    qos,
    podPidsLimit: configuration.podPidsLimit,
    enforceCPULimits: configuration.cpuCFSQuota,
    cpuCFSQuotaPeriod: BigInt(configuration.cpuCFSQuotaPeriod * 1000),
    hasExclusiveCPUs: (pod) => options.hasExclusiveCPUs(pod),
    kill: (pid) => void process.kill(pid, 'SIGKILL'),
  });
  const keep = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await qos.updateCgroups(options.activePods()).catch(onFault);
      await systemClock.sleep(PERIOD, signal);
    }
  };
  return {
    parentOf: (pod) => pods.podContainerName(pod).path,
    root: cgroups.path(root),
    async start(signal) {
      const whole = { cgroups, root, amounts, recorder, node, clock: systemClock };
      await createNodeAllocatableCgroups(whole);
      await qos.start();
      const isEnforced = configuration.enforceNodeAllocatable.includes('pods');
      return async () => {
        await Promise.all([isEnforced ? enforceNodeAllocatable(whole, signal) : undefined, keep(signal)]);
      };
    },
    async ensureExists(pod) {
      if (!(await pods.exists(pod))) await qos.updateCgroups(options.activePods());
      return pods.ensureExists(pod);
    },
    config: (pod, resource) => pods.config(pod, resource),
    setConfig: (pod, config) => pods.setConfig(pod, config),
    memoryUsage: (pod) => pods.memoryUsage(pod),
    destroy: (pod) => pods.destroy(pods.podContainerName(pod).name),
    cleanupOrphans: (known) => pods.cleanupOrphans(known, (uid) => options.hasVolumes(uid), onFault),
  };
}
