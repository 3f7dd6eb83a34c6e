import { execFile } from 'node:child_process';

/** Milliseconds after which a program is killed. */
const TIMEOUT = 60_000;
/** Bytes of its output; a program that prints more is killed. */
const MAX_OUTPUT = 64 << 20;
/** Characters of standard error that an error has. */
const MAX_REASON = 2000;

/** Runs a program of the host with this standard input. Gives its standard output. Rejects with an Error that has the program's own words where it fails or is not there. */
export const runTool = (program: string, args: readonly string[], input: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const settings = {
      env: { ...process.env, LC_ALL: 'C' },
      timeout: TIMEOUT,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT,
    } as const;
    const child = execFile(program, [...args], settings, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new ToolError(program, reasonOf(error, stderr)));
    });
    child.stdin?.on('error', () => undefined); // it may end without reading
    child.stdin?.end(input);
  });

/** A program that failed, or is not there. */
export class ToolError extends Error {
  /** The program's own words, without its name. */
  readonly reason: string;

  constructor(program: string, reason: string) {
    super(`${program}: ${reason}`);
    this.name = 'ToolError';
    this.reason = reason;
  }
}

function reasonOf(
  error: Error & { readonly killed?: boolean | undefined; readonly code?: unknown },
  stderr: string,
): string {
  if (error.code === 'ENOENT') return 'the program is not installed';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `its output is longer than ${MAX_OUTPUT} bytes`;
  if (error.killed === true) return `it took longer than ${TIMEOUT / 1000} s`;
  const said = stderr.trim();
  return said === '' ? error.message : said.slice(0, MAX_REASON);
}
