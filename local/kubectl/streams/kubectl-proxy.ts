import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartFault } from '../../start-fault.ts';
import { kubectlProgram } from '../kubectl.ts';

/**
 * Replaces the shell with the program in the arguments. When standard input ends, a subshell kills the program and removes the folder `$0`.
 * That happens when the process with the other end exits for any reason.
 */
const WITH_ITS_PARENT = 'exec 3<&0; { cat <&3; kill -9 $$; rm -rf "$0"; } >/dev/null 2>&1 & exec "$@" </dev/null 3<&-';
/** A shell's exit code if the program does not exist. */
const NOT_FOUND = 127;

/** The API server via `kubectl proxy`, which uses kubectl's credentials and supports upgrades of connections. */
export class KubectlProxy implements Disposable {
  readonly socketPath: string;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, socketPath: string, child: ChildProcess) {
    this.#folder = folder;
    this.socketPath = socketPath;
    this.#child = child;
  }

  /** Starts the proxy with kubectl's connection flags. It listens on a socket that only the current user can open. Throws StartFault. */
  static async start(connection: readonly string[], program = kubectlProgram()): Promise<KubectlProxy> {
    const folder = mkdtempSync(join(tmpdir(), 'kubectl-davit-'));
    const socketPath = join(folder, 's');
    const allowed = ['--reject-paths=^$', '--reject-methods=^$']; // the default --reject-paths rejects exec and attach
    const command = [program, 'proxy', `--unix-socket=${socketPath}`, ...allowed, ...connection];
    const child = spawn('sh', ['-c', WITH_ITS_PARENT, folder, ...command], { stdio: 'pipe' });
    const proxy = new KubectlProxy(folder, socketPath, child);
    try {
      await begun(child, program);
      return proxy;
    } catch (error) {
      proxy[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#child.stdin?.destroy();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function begun(child: ChildProcess, program: string): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const isThere = code !== NOT_FOUND;
      const message = isThere
        ? said.trim().replace(/^error: /i, '') || 'kubectl proxy ended'
        : `cannot run ${program}; put kubectl on the PATH`;
      reject(new StartFault(message));
    });
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('Starting to serve')) resolve();
    });
  });
}
