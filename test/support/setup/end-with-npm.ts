import { readFileSync } from 'node:fs';

/** Interval in ms between two polls. */
const EVERY = 500;

/**
 * Ends a run when the npm that started it is killed. The shell between npm and vitest does not forward signals. Workers end with the run
 * (`end-with-run.ts`).
 */
export function setup(): (() => void) | undefined {
  if (process.env['npm_command'] === undefined) return undefined;
  const before = ancestors();
  const look = setInterval(() => ancestors() !== before && process.exit(1), EVERY);
  look.unref();
  return () => clearInterval(look);
}

/** The parent process and its parent, if the system reports it. */
function ancestors(): string {
  const { ppid } = process;
  try {
    return `${ppid} ${/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${ppid}/status`, 'utf8'))?.[1]}`;
  } catch {
    return String(ppid); // not Linux, or the parent has ended
  }
}
