import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system in memory with this many bytes; undefined if this user may not mount one. */
export function smallDisk(bytes: number): ({ readonly path: string } & Disposable) | undefined {
  const path = mkdtempSync(join(tmpdir(), 'davit-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'davit-test', path], { stdio: 'pipe' });
  } catch {
    rmdirSync(path);
    return undefined;
  }
  const dispose = (): void => {
    execFileSync('umount', ['--lazy', path]);
    rmdirSync(path);
  };
  return { path, [Symbol.dispose]: dispose };
}
