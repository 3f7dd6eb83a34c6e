import { execFile } from 'node:child_process';

/** How a command ended. */
export interface CommandEnd {
  /** The failure in Go's words, such as `exit status 32`. Undefined for exit status 0. */
  readonly failure?: string;
  readonly status?: number;
  readonly output: string;
}

/** Runs a command of the host and waits until it ends. */
export type Run = (command: string, args: readonly string[]) => Promise<CommandEnd>;

/** Runs a command in this process's namespaces. The language is fixed, so that error texts can be matched. */
export const runCommand: Run = (command, args) =>
  new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: 'C' };
    execFile(command, [...args], { env, maxBuffer: 1 << 20 }, (error, stdout, stderr) => {
      const output = stdout + stderr;
      if (error === null) resolve({ output });
      else if (typeof error.code === 'number')
        resolve({ failure: `exit status ${error.code}`, status: error.code, output });
      else resolve({ failure: error.signal == null ? error.message : `signal: ${error.signal}`, output });
    });
  });
