import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type {
  Container,
  ContainerStats as CRIContainerStats,
  FilesystemUsage,
  PodSandbox,
  PodSandboxStats,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { ImageService, RuntimeService } from '#lib/node/cri-api/services.ts';
import type { FsInfo } from '../host.ts';
import { ephemeralStorage, podCPU, podMemory, podSwap } from './aggregate.ts';
import { containerStats, cpuStats, fsStats, memoryStats, nanosText, networkStats } from './cri-usage.ts';
import { liveContainers, liveSandboxes } from './live.ts';
import type { ContainerStats, FsStats, PodReference, PodStats, VolumeStats } from './summary.ts';
import { UsageNanoCores } from './usage-nano-cores.ts';

/** The disk usage of pods, measured on the node. A part that does not exist or cannot be measured is undefined. Methods do not reject. */
export interface PodStorage {
  containerLogs(pod: PodReference, container: string): Promise<FsStats | undefined>;
  /** The logs in the pod's directory, without those of its containers. */
  podLogs(pod: PodReference): Promise<FsStats | undefined>;
  etcHosts(uid: string): Promise<FsStats | undefined>;
  volumes(
    uid: string,
  ): Promise<{ readonly ephemeral: readonly VolumeStats[]; readonly persistent: readonly VolumeStats[] }>;
}

/** The ports of the statistics. */
export interface StatsProviderOptions {
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly storage: PodStorage;
  readonly clock: Clock;
  /** The file system of the agent's directory. */
  readonly rootFs: () => Promise<FsInfo>;
  /** The file system at a path, or undefined if there is none. */
  readonly fsInfo: (mountpoint: string) => Promise<FsInfo | undefined>;
}

/** The runtime's statistics of one pod. */
interface Told {
  readonly sandbox: PodSandbox;
  /** Absent if the runtime only reports containers. */
  readonly stats?: PodSandboxStats;
  readonly containers: readonly (readonly [Container, CRIContainerStats])[];
}

/**
 * Statistics of pods and images from the container runtime (upstream: criStatsProvider). Methods throw RpcError and the errors of ports.
 */
export class CRIStatsProvider {
  readonly #options: StatsProviderOptions;
  readonly #nanoCores = new UsageNanoCores();

  constructor(options: StatsProviderOptions) {
    this.#options = options;
  }

  /** All statistics of the pods that have a sandbox. `update` takes a sample of each container's CPU usage. */
  async listPodStats({ update = false } = {}): Promise<PodStats[]> {
    const info = await this.#options.rootFs();
    const root = { info, time: this.#now() };
    const told = await this.#told();
    const known = new Map<string, Promise<FsInfo | undefined>>();
    const fsInfo = (usage: FilesystemUsage | undefined): Promise<FsInfo | undefined> => {
      const mountpoint = usage?.fsId?.mountpoint;
      if (mountpoint === undefined) return Promise.resolve(undefined);
      const found = known.get(mountpoint) ?? this.#options.fsInfo(mountpoint);
      known.set(mountpoint, found);
      return found;
    };
    const pods = told.map(async (one) => {
      const stats = await Promise.all(
        one.containers.map(async ([container, stat]) => {
          const rootfs = fsStats(stat.writableLayer, await fsInfo(stat.writableLayer), root.time);
          const name = container.metadata?.name ?? '';
          const logs = await this.#options.storage.containerLogs(referenceOf(one.sandbox), name);
          return this.#containerStats(container, stat, { update, rootfs, logs });
        }),
      );
      return this.#withStorage(podStats(one, stats), root);
    });
    this.#nanoCores.collect(this.#options.clock.now());
    return Promise.all(pods);
  }

  /** Only the CPU and memory usage of the pods that have a sandbox. */
  async listPodCPUAndMemoryStats(): Promise<PodStats[]> {
    return (await this.#told()).map((told) => {
      const containers = told.containers.map(([container, stat]) => this.#containerStats(container, stat, {}));
      const { podRef, startTime, cpu, memory, swap } = podStats(told, containers);
      return { podRef, startTime, containers, ...defined({ cpu, memory, swap }) };
    });
  }

  /** The file system of the images. Throws Error with upstream's text if the runtime reports none. */
  async imageFsStats(): Promise<FsStats> {
    const { imageFilesystems } = await this.#options.images.imageFsInfo({});
    const [usage] = imageFilesystems;
    if (usage === undefined) throw new Error('imageFs information is unavailable');
    const info = usage.fsId && (await this.#options.fsInfo(usage.fsId.mountpoint));
    return fsStats(usage, info, this.#now());
  }

  #now(): string {
    return timeOf(this.#options.clock.now());
  }

  #containerStats(
    container: Container,
    stats: CRIContainerStats,
    given: { readonly update?: boolean; readonly rootfs?: FsStats; readonly logs?: FsStats | undefined },
  ): ContainerStats {
    const { update = false, rootfs, logs } = given;
    const nanoCores = update ? this.#nanoCores.update(stats) : this.#nanoCores.get(stats);
    const facts = { createdAt: container.createdAt, nanoCores, logs, now: this.#now() };
    return containerStats(stats, { ...facts, ...(rootfs && { rootfs }) });
  }

  async #withStorage(stats: PodStats, root: { readonly info: FsInfo; readonly time: string }): Promise<PodStats> {
    const { storage } = this.#options;
    const { ephemeral, persistent } = await storage.volumes(stats.podRef.uid);
    const disk = {
      ephemeralVolumes: ephemeral,
      logs: await storage.podLogs(stats.podRef),
      etcHosts: await storage.etcHosts(stats.podRef.uid),
    };
    const volume = [...ephemeral, ...persistent];
    return {
      ...stats,
      ...(volume.length > 0 && { volume }),
      'ephemeral-storage': ephemeralStorage(stats.containers, disk, root),
    };
  }

  /**
   * The runtime's statistics of its pods. The runtime may not report sandboxes: the call is Unimplemented, or a sandbox has no cgroup. Then
   * only containers are requested, and pods are their sums.
   */
  async #told(): Promise<Told[]> {
    const { runtime } = this.#options;
    const containers = new Map(
      liveContainers((await runtime.listContainers({})).containers).map((one) => [one.id, one]),
    );
    const sandboxes = liveSandboxes((await runtime.listPodSandbox({})).items);
    const known = (stats: readonly CRIContainerStats[]): (readonly [Container, CRIContainerStats])[] =>
      stats.flatMap((stat) => {
        const container = containers.get(stat.attributes?.id ?? '');
        return container === undefined ? [] : [[container, stat] as const];
      });
    const sandboxStats = await this.#sandboxStats();
    if (sandboxStats !== undefined)
      return sandboxes.flatMap((sandbox) => {
        const stats = sandboxStats.get(sandbox.id);
        return stats === undefined ? [] : [{ sandbox, stats, containers: known(stats.linux?.containers ?? []) }];
      });
    const all = known((await runtime.listContainerStats({})).stats);
    return sandboxes
      .map((sandbox) => ({ sandbox, containers: all.filter(([{ podSandboxId }]) => podSandboxId === sandbox.id) }))
      .filter((told) => told.containers.length > 0);
  }

  async #sandboxStats(): Promise<ReadonlyMap<string, PodSandboxStats> | undefined> {
    try {
      const { stats } = await this.#options.runtime.listPodSandboxStats({});
      return new Map(stats.map((one) => [one.attributes?.id ?? '', one]));
    } catch (error) {
      if (error instanceof RpcError && (error.code === 'Unimplemented' || error.code === 'Unknown')) return undefined;
      throw error;
    }
  }
}

const referenceOf = ({ metadata }: PodSandbox): PodReference => ({
  name: metadata?.name ?? '',
  namespace: metadata?.namespace ?? '',
  uid: metadata?.uid ?? '',
});

function podStats({ sandbox, stats }: Told, containers: ContainerStats[]): PodStats {
  const linux = stats?.linux;
  const processCount = linux?.process?.processCount?.value;
  return {
    podRef: referenceOf(sandbox),
    startTime: nanosText(sandbox.createdAt),
    containers,
    ...defined({
      cpu: cpuStats(linux?.cpu) ?? podCPU(containers),
      memory: memoryStats(linux?.memory) ?? podMemory(containers),
      network: networkStats(linux?.network),
      swap: podSwap(containers),
    }),
    ...(processCount !== undefined && { process_stats: { process_count: processCount } }),
  };
}
