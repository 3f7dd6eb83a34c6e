import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { defined } from '#lib/machinery/defined.ts';

/** The path of a downloaded program, or the reason why it is not available here. */
export type Fetched = { readonly path: string } | { readonly missing: string };

/** Time-out in ms. The longest build is kube-scheduler, which takes 6 minutes of processor time. */
const BUILD_TIMEOUT = 20 * 60_000;
const DOWNLOAD_TIMEOUT = 400_000;
/** Delays in ms before retries of requests to a failing registry. */
const PAUSES = [2_000, 10_000];
/** The number of lines of a failed program's output that are shown. */
const SHOWN_LINES = 15;

const execute = promisify(execFile);

/** Runs a program to its end. If it fails, rejects with the last lines of its output. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  try {
    const all = { timeout: BUILD_TIMEOUT, maxBuffer: 64 * 1024 * 1024, ...options };
    return (await execute(program, [...args], all)).stdout;
  } catch (error) {
    throw new Error(`${program} ${args[0] ?? ''}: ${complaint(error)}`, { cause: error });
  }
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The time-out in ms. */
  readonly timeout?: number;
}

/** Runs a program that fetches from a registry. Failures are retried a limited number of times. */
export async function download(
  program: string,
  args: readonly string[],
  cwd?: string,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<string> {
  const options = { timeout: DOWNLOAD_TIMEOUT, ...defined({ cwd }) };
  for (const pause of PAUSES)
    try {
      return await run(program, args, options);
    } catch (error) {
      console.warn(`${String(error)}\ntrying again in ${pause / 1_000} s`);
      await wait(pause);
    }
  return run(program, args, options);
}

/** The first of the programs that cannot run here. Each is `[name, argument that makes it print something]`. */
export async function firstMissing(programs: readonly (readonly [string, string])[]): Promise<string | undefined> {
  for (const [program, argument] of programs) {
    const answers = await run(program, [argument]).then(
      () => true,
      () => false,
    );
    if (!answers) return `${program} is not installed`;
  }
  return undefined;
}

/** A program on this machine, by name. With `argument` it prints something. */
export async function programOnPath(program: string, argument: string): Promise<Fetched> {
  const missing = await firstMissing([[program, argument]]);
  return missing === undefined ? { path: program } : { missing };
}

/** The program's path, for tests that skip if it is missing. */
export function pathOf(fetched: Fetched): string {
  if ('missing' in fetched) throw new Error(fetched.missing);
  return fetched.path;
}

/**
 * The folder `<name>` of the cache, or of another folder, filled once. It is filled under another name and then renamed, so it never
 * appears half full. Other processes that need it wait meanwhile. The name contains the versions, so a new version uses a new folder.
 */
export async function cached(
  name: string,
  fill: (folder: string) => Promise<void>,
  home = cacheFolder(),
): Promise<Fetched> {
  const path = join(home, name);
  if (existsSync(path)) return { path };
  mkdirSync(home, { recursive: true });
  using _ = await lock(`${path}.lock`);
  if (existsSync(path)) return { path };
  const partial = `${path}.${process.pid}`;
  try {
    mkdirSync(partial, { recursive: true });
    await fill(partial);
    renameSync(partial, path);
    return { path };
  } catch (error) {
    return { missing: `${name} could not be fetched: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** `$XDG_CACHE_HOME/davit`, which all checkouts share. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME: home = '' } = process.env;
  return join(isAbsolute(home) ? home : join(homedir(), '.cache'), 'davit');
}

/** Waits until no living process holds the lock file, and then locks it. */
async function lock(file: string): Promise<Disposable> {
  while (!hold(file))
    if (isAbandoned(file)) rmSync(file, { force: true });
    else await sleep(500);
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

function hold(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

/** A killed holder cannot release the lock, and its process id may now belong to another process. */
function isAbandoned(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > BUILD_TIMEOUT) return true;
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

function complaint(error: unknown): string {
  const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return printed === '' ? String(error) : printed.split('\n').slice(-SHOWN_LINES).join('\n');
}
