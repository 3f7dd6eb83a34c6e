import { readdir, stat } from 'node:fs/promises';
import { type Run, runCommand } from '../programs/command.ts';

/** The paths that containerd gives to network namespaces of sandboxes. */
const OF_SANDBOX = /^(?:\/var)?\/run\/netns\/(cni-[0-9a-f-]{36})$/;

/** Whether a process is in the network namespace at a path. False if the path does not exist. Rejects if this cannot be determined. */
export async function isNamespaceInUse(path: string): Promise<boolean> {
  const wanted = await stat(path).catch(() => undefined); // the path was removed, for example because its pod ended
  if (wanted === undefined) return false;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const found = await stat(`/proc/${pid}/ns/net`).catch(() => undefined); // the process has ended
    if (found?.ino === wanted.ino && found.dev === wanted.dev) return true;
  }
  return false;
}

/** Removes the network namespace of a sandbox that the container runtime no longer lists. Other namespaces stay. */
export async function removeSandboxNamespace(path: string, run: Run = runCommand): Promise<void> {
  const name = OF_SANDBOX.exec(path)?.[1];
  if (name !== undefined) await run('ip', ['netns', 'delete', name]);
}
