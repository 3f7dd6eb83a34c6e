import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CgroupReader, NetworkCounters } from '#lib/node/kubelet/stats/cgroup-reader.ts';
import { interfacesOf } from '../machine/machine-stats.ts';
import type { CgroupMounts } from './cgroup.ts';

/** Reads the cgroups of this machine from their files. */
export class HostCgroupReader implements CgroupReader {
  readonly #mounts: CgroupMounts;

  constructor(mounts: CgroupMounts) {
    this.#mounts = mounts;
  }

  get version(): 1 | 2 {
    return this.#mounts.version;
  }

  async children(path: string): Promise<readonly string[]> {
    const folder = this.#folder('memory', path);
    const entries = folder === undefined ? [] : await readdir(folder, { withFileTypes: true }).catch(ifGone);
    return (entries ?? []).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  }

  async read(controller: string, path: string, file: string): Promise<string | undefined> {
    const folder = this.#folder(controller, path);
    return folder === undefined ? undefined : readFile(join(folder, file), 'utf8').catch(ifGone);
  }

  async createdAt(path: string): Promise<number | undefined> {
    const folder = this.#folder('memory', path);
    return folder === undefined ? undefined : (await stat(join(folder, 'cgroup.procs')).catch(ifGone))?.mtimeMs;
  }

  async network(path: string): Promise<readonly NetworkCounters[]> {
    const processes = path === '/' ? '1' : await this.read('memory', path, 'cgroup.procs');
    const first = /^\d+/.exec(processes ?? '')?.[0];
    const text = first === undefined ? undefined : await readFile(`/proc/${first}/net/dev`, 'utf8').catch(ifGone);
    return interfacesOf(text ?? '').map(({ name, counters }) => {
      const direction = (from: number) => {
        const [bytes = 0, packets = 0, errors = 0, dropped = 0] = counters.slice(from).map(Number);
        return { bytes, packets, errors, dropped };
      };
      return { name, receive: direction(0), transmit: direction(8) };
    });
  }

  async device(id: string): Promise<string> {
    const target = await readlink(`/sys/dev/block/${id}`).catch(ifGone);
    return target === undefined ? '' : `/dev/${basename(target)}`;
  }

  #folder(controller: string, path: string): string | undefined {
    const { mountPoints, others, version } = this.#mounts;
    const unified = version === 2 ? mountPoints.get('memory') : undefined;
    const mount = mountPoints.get(controller) ?? unified;
    const other = others.find((folder) => basename(folder).split(',').includes(controller));
    const found = mount ?? other;
    return found === undefined ? undefined : join(found, path);
  }
}

/** Error codes for a file or process that does not exist, or that the kernel currently does not allow to be read. */
const GONE = ['ENOENT', 'ENOTDIR', 'ENODEV', 'ESRCH', 'EINVAL', 'EOPNOTSUPP', 'EACCES'];

function ifGone(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && GONE.includes(String(error.code))) return undefined;
  throw error;
}
