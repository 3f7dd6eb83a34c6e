import { mkdtemp, readFile, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mounter } from '#lib/node/volume/mount/mounter.ts';

/** The first Linux version for which upstream assumes support. */
const [MAJOR, MINOR] = [6, 4];
/** The uid map of a process in the initial user namespace, where every user maps to itself. */
const FIRST_NAMESPACE = /^\s*0\s+0\s+4294967295\s*$/;

/**
 * Whether tmpfs mounts of this host support the option `noswap`. On an older kernel, a test mount decides. False if it is unknown. `uidMap`
 * is the text of /proc/self/uid_map, which is read if absent.
 */
export async function supportsTmpfsNoSwap(
  mounter: Mounter,
  { kernelVersion, uidMap }: { readonly kernelVersion: string; readonly uidMap?: string },
): Promise<boolean> {
  const map = uidMap ?? (await readFile('/proc/self/uid_map', 'utf8').catch(() => '')); // some kernels have no user namespaces
  if (map !== '' && !FIRST_NAMESPACE.test(map)) return false;
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(kernelVersion) ?? [];
  if (Number(major) > MAJOR || (Number(major) === MAJOR && Number(minor) >= MINOR)) return true;
  const target = await mkdtemp(join(tmpdir(), 'tmpfs-noswap-test-'));
  try {
    await mounter.mount({ source: 'tmpfs', target, fsType: 'tmpfs', options: ['noswap'] });
    await mounter.unmount(target);
    return true;
  } catch {
    return false; // the kernel does not support the option, or this process may not mount
  } finally {
    await rmdir(target);
  }
}
