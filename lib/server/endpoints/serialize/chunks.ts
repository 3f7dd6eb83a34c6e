import { requestEntityTooLarge, type StatusError } from '#lib/machinery/errors.ts';
import type { Turn } from '#lib/machinery/steps.ts';
import type { ObjectStream, StoredObject } from '#lib/storage/storage.ts';

/** The objects of a list, read in batches. */
export type Batches = ObjectStream['batches'];
/** A body that is written while its objects are read. */
export type Chunks = AsyncGenerator<Uint8Array, void>;

/** The minimum size of a chunk in bytes. */
const CHUNK = 64 * 1024;
/** The maximum size in bytes of a body that is buffered so that its Content-Length is known. */
const WHOLE = 1024 * 1024;

/** The maximum total size in bytes of stored objects in a buffered body. Encoding YAML takes about eight times as much memory. */
const MAX_WHOLE = 32 * 1024 * 1024;

/** Returns the same batches for a body that must be buffered. Throws 413 if the objects are too large. */
export async function* forWhole(batches: Batches): AsyncGenerator<readonly StoredObject[], void> {
  let size = 0;
  for await (const batch of batches) {
    for (const { body } of batch) size += body.length;
    if (size > MAX_WHOLE) throw tooLargeForWhole();
    yield batch;
  }
}

const tooLargeForWhole = (): StatusError =>
  requestEntityTooLarge(
    `limit is ${MAX_WHOLE} bytes of objects in YAML: set "limit" to list them in pages, or ask for JSON`,
  );

/** The parts of a body that contains objects. */
export interface Parts {
  readonly head: Uint8Array;
  /** Pushes the bytes of one object. */
  item(parts: Uint8Array[], stored: StoredObject): void;
  /** Returns the bytes after the last object. */
  tail(): Uint8Array;
  /** Called after each object. */
  readonly turn?: Turn;
}

/** Yields chunks of the objects' bytes between a head and a tail. */
export async function* chunked(batches: Batches, { head, item, tail, turn }: Parts): Chunks {
  let parts = [head];
  let from = 0;
  let size = 0;
  for await (const batch of batches) {
    for (const stored of batch) {
      item(parts, stored);
      const pause = turn?.();
      if (pause !== undefined) await pause;
      for (; from < parts.length; from++) size += (parts[from] as Uint8Array).length;
      if (size < CHUNK) continue;
      yield Buffer.concat(parts, size);
      parts = [];
      from = size = 0;
    }
  }
  yield Buffer.concat([...parts, tail()]);
}

/**
 * Collects a body of at most a mebibyte. A longer one becomes a stream that begins with the collected chunks. Rejects with an error of the
 * first chunks.
 */
export async function listBody(chunks: Chunks): Promise<Uint8Array | Chunks> {
  const { made, isWhole, all } = await begun(chunks, WHOLE);
  return isWhole ? Buffer.concat(made) : all;
}

/** The collected beginning of a body. */
export interface Begun {
  readonly made: readonly Uint8Array[];
  /** Whether the body is complete. */
  readonly isWhole: boolean;
  /** The collected chunks, followed by the rest. */
  readonly all: Chunks;
}

/** Collects the chunks of a body until they exceed the limit in bytes, or the body ends. Rejects with an error of these chunks. */
export async function begun(chunks: Chunks, bytes: number): Promise<Begun> {
  const made: Uint8Array[] = [];
  for (let size = 0; size <= bytes; ) {
    const { done, value } = await chunks.next();
    if (done === true) return { made, isWhole: true, all: resumed(made, chunks) };
    made.push(value);
    size += value.length;
  }
  return { made, isWhole: false, all: resumed(made, chunks) };
}

/** Consumes and discards all chunks. */
export async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

/** If the reader stops early, ends the chunks, even while it still reads the collected ones. */
async function* resumed(made: readonly Uint8Array[], chunks: Chunks): Chunks {
  try {
    yield* made;
    yield* chunks;
  } finally {
    await chunks.return();
  }
}
