import type { Readable, Writable } from 'node:stream';

/** The terminal of a command, or files and pipes instead. `process` has this shape. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
  readonly stdout: Writable & { readonly columns?: number; readonly rows?: number };
  readonly stderr: Writable;
}
