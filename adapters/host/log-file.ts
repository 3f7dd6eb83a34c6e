import { watch, type BigIntStats } from 'node:fs';
import { constants, open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import type { LogFile, LogFiles, LogWatch } from '#lib/kubelet/kuberuntime/logs/log-files.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';

/** The logs below a folder, as `/var/log/pods`. Links may lead from one place in it to another, and nowhere else. */
export class LogFolder implements LogFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async open(path: string): Promise<LogFile> {
    // A pipe does not hold the agent up: it is looked at once it is open.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    const handle = await open(path, flags).catch((error: unknown) => {
      throw new Error(`failed to open log file ${quote(path)}: ${goText(error)}`, { cause: error });
    });
    try {
      await this.#verify(handle, path);
      return logFile(handle, identityOf(await handle.stat({ bigint: true })));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async identity(path: string): Promise<string | undefined> {
    try {
      return identityOf(await stat(path, { bigint: true }));
    } catch {
      return undefined; // between a rotation and the runtime's new file
    }
  }

  watch(path: string): LogWatch {
    return new FolderWatch(dirname(path));
  }

  /** Judges the file that is open, not a path that may lead elsewhere a moment later. Throws Error. */
  async #verify(handle: FileHandle, path: string): Promise<void> {
    const [root, place] = await Promise.all([realpath(this.#root), readlink(`/proc/self/fd/${handle.fd}`)]);
    if (!place.startsWith(root + sep)) throw new Error(`log file ${quote(path)} is outside of ${root}`);
    if (!(await handle.stat()).isFile()) throw new Error(`log file ${quote(path)} is no regular file`);
  }
}

const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

function logFile(handle: FileHandle, identity: string): LogFile {
  return {
    identity,
    size: async () => (await handle.stat()).size,
    async read(at, length) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** The system's fault in Go's words, where logs meet it. */
const goText = (error: unknown): string =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
    ? 'no such file or directory'
    : messageOfError(error);

/** Changes of a folder. Where it cannot be watched, time alone passes. */
class FolderWatch implements LogWatch {
  readonly #ending = new AbortController();
  #hasChanged = false;
  #wake: () => void = () => undefined;

  constructor(folder: string) {
    const changed = (): void => {
      this.#hasChanged = true;
      this.#wake();
    };
    try {
      watch(folder, { signal: this.#ending.signal, persistent: false }, changed).on('error', () => undefined);
    } catch {
      // The system's watches are used up, or the folder is gone.
    }
  }

  async next(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasChanged && !signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => this.#wake(), milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', this.#wake);
          resolve();
        };
        signal.addEventListener('abort', this.#wake, { once: true });
      });
    this.#hasChanged = false;
  }

  [Symbol.dispose](): void {
    this.#ending.abort();
    this.#wake();
  }
}
