import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { retryOnError } from '#lib/machinery/wait/retry-on-error.ts';
import type { CgroupManager } from '#lib/node/kubelet/cm/cgroup/cgroup-manager.ts';
import {
  type CgroupDriver,
  type CgroupName,
  cgroupNameOf,
  cgroupPath,
} from '#lib/node/kubelet/cm/cgroup/cgroup-name.ts';
import type { ResourceConfig } from '#lib/node/kubelet/cm/cgroup/resource-config.ts';
import { errorCode, ifMissing } from '../records/path-error.ts';
import { type CgroupSetting, configV1, configV2, settingsV1, settingsV2 } from './cgroup-settings.ts';

/** Controllers that the kubelet uses. */
const CONTROLLERS = ['cpu', 'cpuacct', 'cpuset', 'memory', 'pids', 'hugetlb', 'systemd'];
const CONTROLLERS_V2 = ['cpu', 'cpuset', 'memory', 'hugetlb', 'pids'];
/** Files that a new cpuset copies from its parent, because no process can run without them. */
const CPUSET_FILES = ['cpuset.cpus', 'cpuset.mems'];
/** The attempts to remove a busy cgroup, because the kernel releases processes shortly after they end. */
const REMOVE = { duration: 20, factor: 2, steps: 5 };

/** The mount points of cgroups. */
export interface CgroupMounts {
  readonly version: 1 | 2;
  /** The folder of each controller that the kubelet uses. In version 2 all controllers have the same folder. */
  readonly mountPoints: ReadonlyMap<string, string>;
  /** Other hierarchies of version 1, in which the container runtime creates the parents' cgroups. Cgroups are removed from these too. */
  readonly others: readonly string[];
}

/** The settings of the cgroups of a machine. */
export interface HostCgroupsOptions {
  readonly mounts: CgroupMounts;
  readonly driver: CgroupDriver;
  readonly hugePageSizes: readonly string[];
  /** Waits this many ms before the next removal of a busy cgroup. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Reads the mounts from /proc/self/mountinfo. Throws Error if it contains none. */
export function cgroupMountsOf(mountinfo: string): CgroupMounts {
  const mountPoints = new Map<string, string>();
  const others: string[] = [];
  let unified: string | undefined;
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const folder = before.split(' ')[4];
    const [type, , options = ''] = after.split(' ');
    if (folder === undefined) continue;
    if (type === 'cgroup2' && folder === '/sys/fs/cgroup') unified = folder;
    const names = options.split(',').map((option) => option.replace(/^name=/, ''));
    if (type === 'cgroup2' || (type === 'cgroup' && !names.some((name) => CONTROLLERS.includes(name))))
      others.push(folder);
    if (type !== 'cgroup') continue;
    for (const name of names) {
      const known = mountPoints.get(name);
      if (CONTROLLERS.includes(name) && (known === undefined || folder.length < known.length))
        mountPoints.set(name, folder);
    }
  }
  if (unified !== undefined)
    return { version: 2, mountPoints: new Map(CONTROLLERS_V2.map((name) => [name, unified])), others: [] };
  if (mountPoints.size === 0) throw new Error('failed to find cgroup mounts');
  return { version: 1, mountPoints, others };
}

/**
 * The cgroups of a machine, managed through their files. With the systemd driver the paths are systemd's, but this class writes the files
 * itself.
 */
export class HostCgroups implements CgroupManager {
  readonly #options: HostCgroupsOptions;

  constructor(options: HostCgroupsOptions) {
    this.#options = options;
  }

  get version(): 1 | 2 {
    return this.#options.mounts.version;
  }

  path(name: CgroupName): string {
    return cgroupPath(name, this.#options.driver);
  }

  name(path: string): CgroupName {
    return cgroupNameOf(path, this.#options.driver);
  }

  hugePageSizes(): readonly string[] {
    return this.#options.hugePageSizes;
  }

  async create(name: CgroupName, config: ResourceConfig): Promise<void> {
    for (const [controller, mount] of this.#options.mounts.mountPoints) {
      if (this.version === 2) await this.#enable(mount, controller, name);
      const folder = join(mount, this.path(name));
      await mkdir(folder, { recursive: true });
      if (this.version === 1 && controller === 'cpuset') await copyCpuset(folder, mount);
    }
    await this.update(name, config);
  }

  async update(name: CgroupName, config: ResourceConfig): Promise<void> {
    const { mounts, hugePageSizes } = this.#options;
    const settings = mounts.version === 1 ? settingsV1(config, hugePageSizes) : settingsV2(config, hugePageSizes);
    const retries: (() => Promise<void>)[] = [];
    for (const setting of settings) {
      const mount = mounts.mountPoints.get(setting.controller);
      if (mount === undefined) continue; // the kernel lacks the controller
      const write = (): Promise<void> => writeSetting(join(mount, this.path(name)), setting);
      if (setting.mayFailFirst === true) await write().catch(() => retries.push(write));
      else await write();
    }
    for (const write of retries) await write();
  }

  async config(name: CgroupName, resource: 'memory' | 'cpu'): Promise<ResourceConfig> {
    const mount = this.#options.mounts.mountPoints.get(resource);
    if (mount === undefined) throw new Error(`failed to build ${resource} cgroup fs path for cgroup ${name.join('/')}`);
    const read = async (file: string): Promise<string> =>
      (await readFile(join(mount, this.path(name), file), 'utf8')).trim();
    return this.version === 1 ? configV1(resource, read) : configV2(resource, read);
  }

  async destroy(name: CgroupName): Promise<void> {
    for (const folder of this.#folders(name)) await this.#remove(folder);
  }

  async validate(name: CgroupName): Promise<void> {
    const missing: string[] = [];
    for (const folder of this.#kept(name)) {
      if ((await readdir(folder).catch(ifMissing)) === undefined) missing.push(folder);
    }
    const text = `[${name.map((part) => JSON.stringify(part)).join(' ')}]`;
    if (missing.length > 0) throw new Error(`cgroup ${text} has some missing paths: ${missing.join(', ')}`);
  }

  async pids(name: CgroupName): Promise<number[]> {
    const found = new Set<number>();
    for (const folder of this.#folders(name)) await collectPids(folder, found);
    found.delete(0); // a process outside this pid namespace has pid 0, and a signal to 0 would go to this process's group
    return [...found].sort((a, b) => a - b);
  }

  async children(name: CgroupName): Promise<CgroupName[]> {
    const names = new Set<string>();
    for (const folder of this.#folders(name)) for (const child of await subfolders(folder)) names.add(child);
    return [...names].map((child) => this.name(`${this.path(name)}/${child}`));
  }

  async memoryUsage(name: CgroupName): Promise<number> {
    const mount = this.#options.mounts.mountPoints.get('memory');
    if (mount === undefined) throw new Error('no cgroup mountpoint for memory controller found');
    const file = this.version === 1 ? 'memory.usage_in_bytes' : 'memory.current';
    return Number(await readFile(join(mount, this.path(name), file), 'utf8'));
  }

  /** The folders of a cgroup that this class manages, without duplicates. */
  #kept(name: CgroupName): string[] {
    return [...new Set([...this.#options.mounts.mountPoints.values()].map((mount) => join(mount, this.path(name))))];
  }

  /** All folders of a cgroup, including those of the container runtime. */
  #folders(name: CgroupName): string[] {
    return [...this.#kept(name), ...this.#options.mounts.others.map((mount) => join(mount, this.path(name)))];
  }

  /** In version 2, enables a controller in the parents of a cgroup. Skips a controller that the kernel lacks. */
  async #enable(mount: string, controller: string, name: CgroupName): Promise<void> {
    for (let depth = 0; depth < name.length; depth += 1) {
      const folder = join(mount, this.path(name.slice(0, depth)));
      await mkdir(folder, { recursive: true });
      const available = await readFile(join(folder, 'cgroup.controllers'), 'utf8').catch(ifMissing);
      if (available?.trim().split(/\s+/).includes(controller) !== true) return;
      await writeFile(join(folder, 'cgroup.subtree_control'), `+${controller}`);
    }
  }

  async #remove(folder: string): Promise<void> {
    for (const child of await subfolders(folder)) await this.#remove(join(folder, child));
    const remove = (): Promise<unknown> => rmdir(folder).catch(ifMissing);
    await retryOnError(remove, REMOVE, { clock: this.#options, isRetriable: () => true });
  }
}

async function writeSetting(folder: string, { file, value }: CgroupSetting): Promise<void> {
  try {
    await writeFile(join(folder, file), value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to write ${JSON.stringify(value)}: ${reason}`, { cause: error });
  }
}

async function subfolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifMissing);
  return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** A handler for `catch` that returns undefined if a cgroup does not exist or was removed while its file was open. */
function ifRemoved(error: unknown): undefined {
  return errorCode(error) === 'ENODEV' ? undefined : ifMissing(error);
}

async function collectPids(folder: string, found: Set<number>): Promise<void> {
  const text = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(ifRemoved);
  for (const pid of (text ?? '').split('\n')) if (pid !== '') found.add(Number(pid));
  for (const child of await subfolders(folder)) await collectPids(join(folder, child), found);
}

/** Copies the CPUs and memory nodes of the parent to a new cpuset, and first to those ancestors that have none. */
async function copyCpuset(folder: string, mount: string): Promise<void> {
  const parent = dirname(folder);
  if (folder === mount || !parent.startsWith(mount)) return;
  for (const file of CPUSET_FILES) {
    const own = ((await readFile(join(folder, file), 'utf8').catch(ifMissing)) ?? '').trim();
    if (own !== '') continue;
    await copyCpuset(parent, mount);
    const inherited = await readFile(join(parent, file), 'utf8').catch(ifMissing);
    if (inherited !== undefined) await writeFile(join(folder, file), inherited.trim());
  }
}
