import { lookup } from 'node:dns/promises';
import type { StatsFs } from 'node:fs';
import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { HugePagesInfo, MachineInfo, VersionInfo } from '#lib/node/kubelet/cadvisor.ts';
import { parseCPUSet } from '#lib/node/kubelet/cm/cpuset.ts';
import type { FsInfo, Host, HostInterface, HostNetwork } from '#lib/node/kubelet/host.ts';
import { defaultRoutes4, defaultRoutes6, memoryField, prettyName } from '../programs/parse.ts';

const HUGE_PAGES = '/sys/kernel/mm/hugepages';

const fsInfo = ({ bsize, blocks, bfree, bavail, files, ffree }: StatsFs): FsInfo => ({
  capacity: bsize * blocks,
  available: bsize * bavail,
  used: bsize * (blocks - bfree),
  inodes: files,
  inodesFree: ffree,
});

/** The locations of a machine's facts. */
export interface MachineOptions {
  /** The agent's folder. Its file system is the node's ephemeral storage. */
  readonly rootDirectory: string;
  /** The folder that contains /proc, /sys and /etc. Default: /. */
  readonly root?: string;
}

/** The facts of a Linux machine, read from its files. */
export class Machine implements Host {
  readonly #root: string;
  readonly #directory: string;

  constructor({ rootDirectory, root = '/' }: MachineOptions) {
    this.#root = root;
    this.#directory = rootDirectory;
  }

  async machineInfo(): Promise<MachineInfo> {
    const meminfo = await this.#read('/proc/meminfo');
    return {
      numCores: parseCPUSet((await this.#read('/sys/devices/system/cpu/online')).trim()).size,
      memoryCapacity: memoryField(meminfo, 'MemTotal'),
      swapCapacity: memoryField(meminfo, 'SwapTotal'),
      hugePages: await this.#hugePages(),
      machineID: await this.#first('/etc/machine-id', '/var/lib/dbus/machine-id'),
      systemUUID: await this.#first(
        '/sys/class/dmi/id/product_uuid',
        '/proc/device-tree/system-id',
        '/proc/device-tree/vm,uuid',
      ),
      bootID: await this.#first('/proc/sys/kernel/random/boot_id'),
    };
  }

  async versionInfo(): Promise<VersionInfo> {
    return {
      kernelVersion: (await this.#read('/proc/sys/kernel/osrelease')).trim(),
      containerOsVersion: prettyName(await this.#first('/etc/os-release', '/usr/lib/os-release')),
    };
  }

  async network(): Promise<HostNetwork> {
    const [routes4, routes6] = [await this.#known('/proc/net/route'), await this.#known('/proc/net/ipv6_route')];
    const routes = routes4 === undefined ? undefined : [...defaultRoutes4(routes4), ...defaultRoutes6(routes6 ?? '')];
    return { interfaces: interfaces(), defaultRoutes: routes };
  }

  async lookup(name: string): Promise<readonly string[]> {
    const found = await lookup(name, { all: true }).catch(() => []); // names without addresses are common
    return found.map(({ address }) => address);
  }

  async rootFs(): Promise<FsInfo> {
    return fsInfo(await statfs(this.#directory));
  }

  /** The file system at a path. Undefined if the path does not exist. */
  async fsAt(path: string): Promise<FsInfo | undefined> {
    const found = await statfs(path).catch(() => undefined); // the runtime may report a folder that was removed
    return found && fsInfo(found);
  }

  /** Whether a path is on the file system of the agent's folder. */
  async isOnRootFs(path: string): Promise<boolean> {
    const [one, root] = await Promise.all([stat(path), stat(this.#directory)]);
    return one.dev === root.dev;
  }

  async memoryAvailable(): Promise<number> {
    return memoryField(await this.#read('/proc/meminfo'), 'MemAvailable');
  }

  async #hugePages(): Promise<HugePagesInfo[]> {
    const sizes = await readdir(join(this.#root, HUGE_PAGES)).catch(() => []); // a kernel without huge pages
    const known = sizes.flatMap((name) => /^hugepages-(\d+)kB$/.exec(name)?.[1] ?? []).map(Number);
    const pages = known
      .sort((a, b) => a - b)
      .map(async (pageSize) => ({
        pageSize,
        numPages: Number(await this.#read(`${HUGE_PAGES}/hugepages-${pageSize}kB/nr_hugepages`)),
      }));
    return Promise.all(pages);
  }

  #read(path: string): Promise<string> {
    return readFile(join(this.#root, path), 'utf8');
  }

  /** Undefined if the file cannot be read. Only root may read some files, and some machines lack others. */
  #known(path: string): Promise<string | undefined> {
    return this.#read(path).catch(() => undefined);
  }

  /** The text of the first readable file. '' if none is readable. */
  async #first(...paths: readonly string[]): Promise<string> {
    for (const path of paths) {
      const text = await this.#known(path);
      if (text !== undefined) return text.replaceAll('\0', '').trim();
    }
    return '';
  }
}

/** Interfaces that are up and have addresses. */
const interfaces = (): HostInterface[] =>
  Object.entries(networkInterfaces()).map(([name, addresses = []]) => ({
    name,
    loopback: addresses.some(({ internal }) => internal),
    addresses: addresses.map(({ address }) => address),
  }));
