import { readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '#lib/machinery/defined.ts';
import type { DiskLayout } from '#lib/node/kubelet/eviction/container-fs-thresholds.ts';
import type { FsInfo } from '#lib/node/kubelet/host.ts';
import type { CgroupMemory, CgroupUsage, MachineStats } from '#lib/node/kubelet/stats/machine-stats.ts';
import type { InterfaceStats } from '#lib/node/kubelet/stats/summary.ts';
import type { CgroupMounts } from '../cgroup/cgroup.ts';
import { memoryField } from '../programs/parse.ts';
import { isMissing } from '../records/path-error.ts';

/** A limit above this value means no limit. The kernel reports its largest value if no limit is set. */
const UNLIMITED = 2n ** 62n;
/** Interfaces that do not belong to the machine itself, from cAdvisor's list. */
const IGNORED = /^(?:lo|veth|docker|nerdctl)/;

/** The locations of a machine's counters. */
export interface HostMachineStatsOptions {
  readonly mounts: CgroupMounts;
  /** The machine's memory in bytes, which is the limit of its root cgroup. */
  readonly memoryCapacity: number;
  /** The folder that contains /proc. Default: /. */
  readonly root?: string;
}

/** Counters of a Linux machine, read from its files as cAdvisor does. */
export class HostMachineStats implements MachineStats {
  readonly #options: HostMachineStatsOptions;
  readonly #root: string;

  constructor(options: HostMachineStatsOptions) {
    this.#options = options;
    this.#root = options.root ?? '/';
  }

  async cgroupUsage(path: string): Promise<CgroupUsage> {
    const isMachine = path === '/';
    const isV1 = this.#options.mounts.version === 1;
    const cpu = isV1 ? await this.#cpuV1(path) : await this.#cpuV2(path);
    const memory = isV1 ? await this.#memoryV1(path) : await this.#memoryV2(path, isMachine);
    const limit = isMachine ? BigInt(this.#options.memoryCapacity) : memory?.limit;
    return {
      ...defined({ cpu }),
      ...(memory !== undefined && { memory: { ...memory, ...defined({ limit }) } }),
    };
  }

  async swap(): Promise<{ available: bigint; usage: bigint } | undefined> {
    const meminfo = await this.#proc('meminfo');
    const total = memoryField(meminfo, 'SwapTotal');
    const free = memoryField(meminfo, 'SwapFree');
    return total === 0 ? undefined : { available: BigInt(free), usage: BigInt(total - free) };
  }

  async networkInterfaces(): Promise<readonly InterfaceStats[]> {
    return interfacesOf(await this.#proc('net/dev')).map(({ name, counters }) => {
      const [rxBytes, , rxErrors, , , , , , txBytes, , txErrors] = counters;
      return { name, ...defined({ rxBytes, rxErrors, txBytes, txErrors }) };
    });
  }

  async rlimit(): Promise<{ maxpid?: bigint; curproc?: bigint }> {
    const limits = await Promise.all(['sys/kernel/pid_max', 'sys/kernel/threads-max'].map((file) => this.#proc(file)));
    const [maxpid] = limits.map(BigInt).sort((a, b) => (a < b ? -1 : 1));
    const running = /^\S+ \S+ \S+ \d+\/(\d+) /.exec(await this.#proc('loadavg'))?.[1];
    return defined({ maxpid, curproc: running === undefined ? undefined : BigInt(running) });
  }

  async bootTime(): Promise<number> {
    const seconds = /^btime (\d+)$/m.exec(await this.#proc('stat'))?.[1];
    if (seconds === undefined) throw new Error('/proc/stat has no btime');
    return Number(seconds) * 1000;
  }

  async #cpuV1(path: string): Promise<bigint | undefined> {
    const text = await this.#read('cpuacct', path, 'cpuacct.usage');
    return text === undefined ? undefined : BigInt(text.trim());
  }

  async #cpuV2(path: string): Promise<bigint | undefined> {
    const text = await this.#read('cpu', path, 'cpu.stat');
    return text === undefined ? undefined : (fieldOf(text, 'usage_usec') ?? 0n) * 1000n;
  }

  async #memoryV1(path: string): Promise<CgroupMemory | undefined> {
    const usage = await this.#read('memory', path, 'memory.usage_in_bytes');
    const text = await this.#read('memory', path, 'memory.stat');
    const limit = await this.#read('memory', path, 'memory.limit_in_bytes');
    if (usage === undefined || text === undefined) return undefined;
    const field = (name: string): bigint => fieldOf(text, `total_${name}`) ?? fieldOf(text, name) ?? 0n;
    return memoryOf(BigInt(usage.trim()), limit, {
      inactiveFile: field('inactive_file'),
      rss: field('rss'),
      pageFaults: field('pgfault'),
      majorPageFaults: field('pgmajfault'),
    });
  }

  /** Memory counters in version 2. The root cgroup has none of its own, so the machine's memory is used. */
  async #memoryV2(path: string, isMachine: boolean): Promise<CgroupMemory | undefined> {
    const text = await this.#read('memory', path, 'memory.stat');
    if (text === undefined) return undefined;
    const current = isMachine ? undefined : await this.#read('memory', path, 'memory.current');
    const usage = current === undefined ? await this.#machineUsage() : BigInt(current.trim());
    const limit = isMachine ? undefined : await this.#read('memory', path, 'memory.max');
    const field = (name: string): bigint => fieldOf(text, name) ?? 0n;
    return memoryOf(usage, limit, {
      inactiveFile: field('inactive_file'),
      rss: field('anon'),
      pageFaults: field('pgfault'),
      majorPageFaults: field('pgmajfault'),
    });
  }

  async #machineUsage(): Promise<bigint> {
    const meminfo = await this.#proc('meminfo');
    return BigInt(memoryField(meminfo, 'MemTotal') - memoryField(meminfo, 'MemFree'));
  }

  /** Undefined if the machine lacks the controller. Rejects if the cgroup does not exist. */
  async #read(controller: string, path: string, file: string): Promise<string | undefined> {
    const mount = this.#options.mounts.mountPoints.get(controller);
    return mount === undefined ? undefined : readFile(join(mount, path, file), 'utf8');
  }

  #proc(file: string): Promise<string> {
    return readFile(join(this.#root, 'proc', file), 'utf8');
  }
}

/** The interfaces in `/proc/net/dev` with their counters, in file order, without loopback and pod interfaces. */
export function interfacesOf(text: string): { readonly name: string; readonly counters: readonly bigint[] }[] {
  const lines = text.split('\n').slice(2);
  return lines.flatMap((line) => {
    const [name = '', counters] = line.trim().split(/:\s*/);
    return counters === undefined || IGNORED.test(name) ? [] : [{ name, counters: counters.split(/\s+/).map(BigInt) }];
  });
}

const fieldOf = (text: string, name: string): bigint | undefined => {
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : BigInt(value);
};

interface MemoryFields {
  readonly inactiveFile: bigint;
  readonly rss: bigint;
  readonly pageFaults: bigint;
  readonly majorPageFaults: bigint;
}

function memoryOf(usage: bigint, limitText: string | undefined, fields: MemoryFields): CgroupMemory {
  const { inactiveFile, ...counters } = fields;
  const limit = /^\d+\s*$/.test(limitText ?? '') ? BigInt((limitText ?? '').trim()) : UNLIMITED;
  return {
    usage,
    workingSet: usage > inactiveFile ? usage - inactiveFile : 0n,
    ...counters,
    ...(limit < UNLIMITED && { limit }),
  };
}

/** The file system at a path. Undefined if the path does not exist. */
export async function fsInfoAt(path: string): Promise<FsInfo | undefined> {
  try {
    const { bsize, blocks, bavail, bfree, files, ffree } = await statfs(path);
    return {
      capacity: bsize * blocks,
      available: bsize * bavail,
      used: bsize * (blocks - bfree),
      inodes: files,
      inodesFree: ffree,
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Whether images are on a different device than the agent's folder. A runtime that stores containers separately from images is not detected
 * here.
 */
export async function diskLayoutOf(rootDirectory: string, imageFs: string): Promise<DiskLayout> {
  const [root, images] = await Promise.all([stat(rootDirectory), stat(imageFs)]);
  return { dedicatedImageFs: root.dev !== images.dev, splitContainerFs: false };
}
