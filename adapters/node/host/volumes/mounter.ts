import { readFile, realpath } from 'node:fs/promises';
import { type MountInfo, mountAt, mountRefs, parseMountInfo } from '#lib/node/volume/mount/mount-info.ts';
import { bindOptions, type Mounter, type MountRequest, mountArguments } from '#lib/node/volume/mount/mounter.ts';
import { type Run, runCommand } from '../programs/command.ts';
import { ifMissing } from '../records/path-error.ts';
import { prepareDevice, resizeDevice } from './format.ts';

/**
 * Mounts with the host's mount and umount programs, as upstream's Mounter does. So mount helpers of file systems work, and options have the
 * same meaning as in a shell.
 */
export class HostMounter implements Mounter {
  readonly #run: Run;
  /** The last mount table that was read, with its text. */
  #table = { text: '', mounts: parseMountInfo('') };

  constructor(run: Run = runCommand) {
    this.#run = run;
  }

  async mount(request: MountRequest): Promise<void> {
    const bind = bindOptions(request.options);
    if (bind === undefined) return this.#mount(request);
    await this.#mount({ ...request, options: bind.bind });
    if (bind.remount === undefined) return undefined;
    try {
      await this.#mount({ ...request, options: bind.remount });
    } catch (error) {
      await this.unmount(request.target); // a bind mount that should be read-only must not remain writable
      throw error;
    }
  }

  async unmount(target: string): Promise<void> {
    const { failure, output } = await this.#run('umount', [target]);
    if (failure === undefined || output.includes('not mounted')) return;
    throw new Error(`unmount failed: ${failure}\nUnmounting arguments: ${target}\nOutput: ${output}`);
  }

  async list(): Promise<readonly MountInfo[]> {
    const text = await readFile('/proc/self/mountinfo', 'utf8');
    if (text !== this.#table.text) this.#table = { text, mounts: parseMountInfo(text) };
    return this.#table.mounts;
  }

  async isMountPoint(path: string): Promise<boolean | undefined> {
    const real = await realpath(path).catch(ifMissing);
    return real === undefined ? undefined : mountAt(await this.list(), real) !== undefined;
  }

  async mountRefs(path: string): Promise<readonly string[]> {
    const real = await realpath(path).catch(ifMissing);
    return real === undefined ? [] : mountRefs(await this.list(), real);
  }

  async formatAndMount(request: MountRequest): Promise<void> {
    await prepareDevice(this.#run, request);
    await this.#mount({ ...request, options: [...request.options, 'defaults'] });
  }

  resizeFs(device: string, mountPath: string): Promise<void> {
    return resizeDevice(this.#run, device, mountPath);
  }

  async fileSystems(): Promise<readonly string[]> {
    const lines = (await readFile('/proc/filesystems', 'utf8')).split('\n');
    return lines.flatMap((line) => line.split('\t')[1] ?? []);
  }

  async #mount(request: MountRequest): Promise<void> {
    const args = mountArguments(request);
    const { failure, output } = await this.#run('mount', args);
    if (failure === undefined) return;
    throw new Error(
      `mount failed: ${failure}\nMounting command: mount\nMounting arguments: ${args.join(' ')}\nOutput: ${output}`,
    );
  }
}
