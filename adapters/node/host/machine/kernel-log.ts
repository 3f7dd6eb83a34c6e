import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { KernelLog } from '#lib/node/kubelet/oom/oom-watcher.ts';

/** Maximum bytes of a record, as in upstream. */
const RECORD = 8192;
/** Maximum number of records per read, so that a kernel that logs continuously does not block the caller. */
const MOST = 10_000;

/** The kernel's log from /dev/kmsg, where each read returns one record and never blocks. The device is opened on the first read. */
export class HostKernelLog implements KernelLog, Disposable {
  readonly #record = Buffer.alloc(RECORD);
  readonly #path: string;
  #file: number | undefined;

  constructor(path = '/dev/kmsg') {
    this.#path = path;
  }

  read(): readonly string[] {
    const file = (this.#file ??= openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK));
    const messages: string[] = [];
    for (let count = 0; count < MOST; count++) {
      const record = this.#next(file);
      if (record === undefined) break;
      if (record.includes(';')) messages.push(record.slice(record.indexOf(';') + 1));
    }
    return messages;
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Returns the next record, '' if the kernel has overwritten records, or undefined at the end. */
  #next(file: number): string | undefined {
    try {
      const length = readSync(file, this.#record);
      return length === 0 ? undefined : this.#record.toString('utf8', 0, length);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EAGAIN') return undefined;
      if (code === 'EPIPE') return '';
      throw error;
    }
  }
}
