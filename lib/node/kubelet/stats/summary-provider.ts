import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { FsInfo } from '../host.ts';
import type { CRIStatsProvider } from './cri-stats-provider.ts';
import { fsSize } from './cri-usage.ts';
import type { CgroupUsage, MachineStats } from './machine-stats.ts';
import type {
  ContainerStats,
  CPUStats,
  FsStats,
  MemoryStats,
  NetworkStats,
  NodeStats,
  Summary,
  UInt64,
} from './summary.ts';

const MACHINE = '/';
/** The interface that represents the machine's network. */
const DEFAULT_INTERFACE = 'eth0';

/** The ports of the summary. */
export interface SummaryProviderOptions {
  readonly node: string;
  readonly clock: Clock;
  readonly machine: MachineStats;
  readonly pods: Pick<CRIStatsProvider, 'listPodStats' | 'listPodCPUAndMemoryStats' | 'imageFsStats'>;
  rootFs(): Promise<FsInfo>;
  /** Paths of cgroups by the name in the summary: `pods` for all pods' cgroup, `kubelet`, `runtime`, `misc`. */
  readonly systemContainers: Readonly<Record<string, string>>;
  /** Called when a cgroup is unreadable. The summary omits it. */
  onFault(error: unknown): void;
}

interface Sample {
  readonly time: number;
  readonly cpu: UInt64;
  readonly nanoCores: UInt64;
}

/** Statistics of the node and its pods (upstream: summaryProviderImpl). Methods reject with the errors of the ports. */
export class SummaryProvider {
  readonly #options: SummaryProviderOptions;
  /** Start time of the agent. */
  readonly #start: string;
  readonly #samples = new Map<string, Sample>();

  constructor(options: SummaryProviderOptions) {
    this.#options = options;
    this.#start = this.#now();
  }

  /** All statistics. `update` computes the CPU usage since the previous update. */
  async summary({ update = false } = {}): Promise<Summary> {
    const { machine, pods, node } = this.#options;
    const usage = await this.#usage(MACHINE, update);
    const imageFs = await pods.imageFsStats();
    const podStats = await pods.listPodStats({ update });
    const time = this.#now();
    const stats: NodeStats = {
      nodeName: node,
      systemContainers: await this.#systemContainers(update),
      startTime: timeOf(await machine.bootTime()),
      ...usage,
      ...defined({ network: await this.#network(time), swap: await this.#swap(time) }),
      fs: rootFsStats(await this.#options.rootFs(), time),
      runtime: { imageFs, containerFs: imageFs },
      rlimit: { time, ...(await machine.rlimit()) },
    };
    return { node: stats, pods: podStats };
  }

  /** Only CPU and memory usage (upstream: GetCPUAndMemoryStats). */
  async cpuAndMemory(): Promise<Summary> {
    const { machine, pods, node } = this.#options;
    const usage = await this.#usage(MACHINE, false);
    const podStats = await pods.listPodCPUAndMemoryStats();
    const swap = await this.#swap(this.#now());
    const startTime = timeOf(await machine.bootTime());
    const systemContainers = await this.#systemContainers(false);
    return { node: { nodeName: node, systemContainers, startTime, ...usage, ...defined({ swap }) }, pods: podStats };
  }

  #now(): string {
    return timeOf(this.#options.clock.now());
  }

  async #usage(path: string, update: boolean): Promise<{ cpu?: CPUStats; memory?: MemoryStats }> {
    const { cpu, memory } = await this.#options.machine.cgroupUsage(path);
    const time = this.#now();
    return {
      ...(cpu !== undefined && {
        cpu: { time, usageNanoCores: this.#nanoCores(path, cpu, update), usageCoreNanoSeconds: cpu },
      }),
      ...(memory !== undefined && { memory: memoryStats(memory, time) }),
    };
  }

  /** The CPU usage between the last two samples, or 0 until there are two. */
  #nanoCores(path: string, cpu: UInt64, update: boolean): UInt64 {
    const last = this.#samples.get(path);
    if (last !== undefined && !update) return last.nanoCores;
    const time = this.#options.clock.monotonic();
    const passed = time - (last?.time ?? time);
    if (last !== undefined && passed <= 0) return last.nanoCores;
    const nanoCores =
      last === undefined || cpu < last.cpu
        ? 0n
        : ((cpu - last.cpu) * 1_000_000_000n) / BigInt(Math.round(passed * 1e6));
    this.#samples.set(path, { time, cpu, nanoCores });
    return nanoCores;
  }

  async #systemContainers(update: boolean): Promise<ContainerStats[]> {
    const all: ContainerStats[] = [];
    for (const [name, path] of Object.entries(this.#options.systemContainers)) {
      try {
        all.push({ name, startTime: this.#start, ...(await this.#usage(path, update)) });
      } catch (error) {
        this.#options.onFault(error);
      }
    }
    return all;
  }

  async #swap(time: string): Promise<NodeStats['swap'] | undefined> {
    const swap = await this.#options.machine.swap();
    return swap && { time, swapAvailableBytes: swap.available, swapUsageBytes: swap.usage };
  }

  async #network(time: string): Promise<NetworkStats | undefined> {
    const interfaces = [...(await this.#options.machine.networkInterfaces())];
    if (interfaces.length === 0) return undefined;
    const main = interfaces.find(({ name }) => name === DEFAULT_INTERFACE) ?? { name: '' };
    return { time, ...main, interfaces };
  }
}

function memoryStats(memory: NonNullable<CgroupUsage['memory']>, time: string): MemoryStats {
  const { usage, workingSet, rss, pageFaults, majorPageFaults, limit } = memory;
  const available = limit === undefined ? undefined : limit > workingSet ? limit - workingSet : 0n;
  return {
    time,
    ...defined({ availableBytes: available }),
    usageBytes: usage,
    workingSetBytes: workingSet,
    rssBytes: rss,
    pageFaults,
    majorPageFaults,
  };
}

const rootFsStats = (info: FsInfo, time: string): FsStats => ({
  time,
  ...fsSize(info),
  usedBytes: BigInt(info.used ?? info.capacity - info.available),
  inodesUsed: BigInt(info.inodes - info.inodesFree),
});
