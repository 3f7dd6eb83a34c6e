import { type BigIntStats, watch } from 'node:fs';
import { constants, type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { LogFile, LogFiles, LogWatch } from '#lib/node/kubelet/kuberuntime/logs/log-files.ts';
import { joinPath, partsBelow } from '#lib/node/volume/mount/path.ts';
import { errnoText, errorCode, isMissing } from '../records/path-error.ts';
import { descriptorPath, safeOpen } from '../volumes/safe-open.ts';

/**
 * The logs below a folder, such as `/var/log/pods`. Links below it are not followed, because a container that can write there could use one
 * to expose files of the machine. The folder itself may be a link.
 */
export class LogFolder implements LogFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async open(path: string): Promise<LogFile> {
    await using place = await this.#find(path).catch((error: unknown) => {
      throw new Error(`failed to open log file ${quote(path)}: ${goText(error)}`, { cause: error });
    });
    // A pipe or a device is not opened, because opening it may block or have side effects.
    if (!(await place.stat()).isFile()) throw new Error(`log file ${quote(path)} is no regular file`);
    const handle = await open(descriptorPath(place), constants.O_RDONLY);
    try {
      return logFile(handle, identityOf(await handle.stat({ bigint: true })));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async identity(path: string): Promise<string | undefined> {
    try {
      return identityOf(await lstat(path, { bigint: true }));
    } catch {
      return undefined; // the runtime has not created the new file since a rotation
    }
  }

  watch(path: string): LogWatch {
    return new FolderWatch(dirname(path));
  }

  /**
   * Opens a path part by part, each relative to the open folder before it, so that later changes of the path cannot redirect it. Throws
   * Error.
   */
  async #find(path: string): Promise<FileHandle> {
    const parts = partsBelow(path, this.#root);
    if (parts === undefined) throw new Error(`it is outside of ${this.#root}`);
    const root = await realpath(this.#root);
    return safeOpen(joinPath(root, ...parts), root);
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

/** The system's text for a missing log, as log requests return it. For other errors, the whole message. */
function goText(error: unknown): string {
  const cause = error instanceof Error && errorCode(error) === undefined ? error.cause : error;
  return isMissing(cause) ? errnoText(cause) : messageOfError(error);
}

/** Watches a folder for changes. If it cannot be watched, only the time-out applies. */
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
      // The system has no more watches, or the folder was removed.
    }
  }

  async next(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasChanged) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, milliseconds);
      using _listener = onAbort(signal, resolve);
      await promise;
      clearTimeout(timer);
    }
    this.#hasChanged = false;
  }

  [Symbol.dispose](): void {
    this.#ending.abort();
    this.#wake();
  }
}
