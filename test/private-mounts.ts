import { readlinkSync } from 'node:fs';
import { skipUnless } from './skip.ts';

/** Options of a test that mounts: it runs as root in a mount namespace apart from that of process 1, so that nothing it mounts outlives it. */
export const privateMounts = () =>
  skipUnless(mayMount(), 'mounts need root in a private mount namespace: run vitest by `unshare --mount`');

function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return readlinkSync('/proc/self/ns/mnt') !== readlinkSync('/proc/1/ns/mnt');
}
