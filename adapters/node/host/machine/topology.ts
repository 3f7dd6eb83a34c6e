import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '#lib/machinery/defined.ts';
import type { HugePagesInfo } from '#lib/node/kubelet/cadvisor.ts';
import { parseCPUSet } from '#lib/node/kubelet/cm/cpuset.ts';
import type { Core, MachineTopology, NumaNode, TopologySource } from '#lib/node/kubelet/cm/machine-topology.ts';
import { memoryField } from '../programs/parse.ts';

const CPUS = '/sys/devices/system/cpu';
const NODES = '/sys/devices/system/node';
/** The level of caches that several cores share. */
const UNCORE_LEVEL = '3';

/** The location of an online CPU. */
interface Place {
  readonly cpu: number;
  readonly core: number;
  readonly socket: number;
  readonly uncoreCache: number | undefined;
}

/** The NUMA nodes, sockets and cores of a Linux machine, read from its files. A machine without NUMA counts as one node. */
export class HostTopology implements TopologySource {
  readonly #root: string;

  /** `root` is the folder that contains /sys and /proc. */
  constructor(root = '/') {
    this.#root = root;
  }

  async machineTopology(): Promise<MachineTopology> {
    const online = parseCPUSet(await this.#read(`${CPUS}/online`));
    const places = await Promise.all(online.list().map((cpu) => this.#place(cpu)));
    const ids = (await this.#folders(NODES, /^node(\d+)$/)).sort((a, b) => a - b);
    const nodes = await Promise.all(ids.map((id) => this.#node(id, places)));
    const numSockets = new Set(places.map(({ socket }) => socket)).size;
    return { numCPUs: online.size, numSockets, nodes: nodes.length === 0 ? [await this.#onlyNode(places)] : nodes };
  }

  async #place(cpu: number): Promise<Place> {
    const folder = `${CPUS}/cpu${cpu}`;
    const number = async (file: string, missing: number): Promise<number> => {
      const value = Number(await this.#read(`${folder}/topology/${file}`).catch(() => missing)); // older kernels lack it
      return value < 0 ? missing : value;
    };
    const [core, socket] = [await number('core_id', cpu), await number('physical_package_id', 0)];
    return { cpu, core, socket, uncoreCache: await this.#uncoreCache(folder) };
  }

  /** The id of the CPU's last-level cache. Undefined if the machine does not report it. */
  async #uncoreCache(folder: string): Promise<number | undefined> {
    for (const index of await this.#folders(`${folder}/cache`, /^index(\d+)$/)) {
      const cache = `${folder}/cache/index${index}`;
      const level = await this.#read(`${cache}/level`).catch(() => '');
      if (level !== UNCORE_LEVEL) continue;
      const id = await this.#read(`${cache}/id`).catch(() => '');
      return id === '' ? undefined : Number(id);
    }
    return undefined;
  }

  async #node(id: number, places: readonly Place[]): Promise<NumaNode> {
    const folder = `${NODES}/node${id}`;
    const cpus = parseCPUSet(await this.#read(`${folder}/cpulist`));
    const meminfo = (await this.#read(`${folder}/meminfo`)).replaceAll(/^Node \d+ /gm, '');
    const distances = await this.#read(`${folder}/distance`).catch(() => undefined); // virtual machines may lack it
    return {
      id,
      memory: memoryField(meminfo, 'MemTotal'),
      hugePages: await this.#hugePages(`${folder}/hugepages`),
      distances: distances?.split(/\s+/).map(Number),
      cores: coresOf(places.filter(({ cpu }) => cpus.has(cpu))),
    };
  }

  async #onlyNode(places: readonly Place[]): Promise<NumaNode> {
    return {
      id: 0,
      memory: memoryField(await this.#read('/proc/meminfo'), 'MemTotal'),
      hugePages: await this.#hugePages('/sys/kernel/mm/hugepages'),
      distances: undefined,
      cores: coresOf(places),
    };
  }

  async #hugePages(folder: string): Promise<HugePagesInfo[]> {
    const sizes = (await this.#folders(folder, /^hugepages-(\d+)kB$/)).sort((a, b) => a - b);
    return Promise.all(
      sizes.map(async (pageSize) => ({
        pageSize,
        numPages: Number(await this.#read(`${folder}/hugepages-${pageSize}kB/nr_hugepages`)),
      })),
    );
  }

  /** The numbers in the names of subfolders. Empty if the folder does not exist. */
  async #folders(folder: string, pattern: RegExp): Promise<number[]> {
    const names = await readdir(join(this.#root, folder)).catch(() => []);
    return names.flatMap((name) => pattern.exec(name)?.[1] ?? []).map(Number);
  }

  async #read(path: string): Promise<string> {
    return (await readFile(join(this.#root, path), 'utf8')).trim();
  }
}

/** Groups the CPUs of the same core and socket. */
function coresOf(places: readonly Place[]): Core[] {
  const groups = Map.groupBy(places, ({ socket, core }) => `${socket} ${core}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { core, socket, uncoreCache } = first;
    const threads = group.map(({ cpu }) => cpu);
    return { id: core, threads, socketID: socket, ...defined({ uncoreCacheID: uncoreCache }) };
  });
}
