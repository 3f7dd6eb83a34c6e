import { requestEntityTooLarge, type StatusError } from '#lib/machinery/errors.ts';
import type { Turn } from '#lib/machinery/steps.ts';
import type { ObjectStream, StoredObject } from '#lib/storage/storage.ts';

/** The objects of a list, read in batches. */
export type Batches = ObjectStream['batches'];
/** A body that is written while its objects are read. */
export type Chunks = AsyncGenerator<Uint8Array, void>;

/** Bytes of a chunk, at least. */
const CHUNK = 64 * 1024;
/** A body up to this many bytes is made as a whole, so that its length is told. */
const WHOLE = 1024 * 1024;

/** Bytes of stored objects of which a body may be made as a whole: YAML takes some eight times as much memory meanwhile. */
const MAX_WHOLE = 32 * 1024 * 1024;

/** The same batches, for a body that is not written while they are read. Throws 413 where they hold too much. */
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

/** The parts of a body that holds objects. */
export interface Parts {
  readonly head: Uint8Array;
  /** Pushes the bytes of one object. */
  item(parts: Uint8Array[], stored: StoredObject): void;
  /** The bytes behind the last object. */
  tail(): Uint8Array;
  /** Is asked behind each object. */
  readonly turn?: Turn;
}

/** Chunks of what each object pushes, between a head and a tail. */
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
 * Collects a body of at most a mebibyte; a longer one becomes a stream that begins with the collected chunks. Rejects
 * with an error of the first chunks.
 */
export async function listBody(chunks: Chunks): Promise<Uint8Array | Chunks> {
  const { made, isWhole, all } = await begun(chunks, WHOLE);
  return isWhole ? Buffer.concat(made) : all;
}

/** The beginning of a body. */
export interface Begun {
  readonly made: readonly Uint8Array[];
  /** Nothing follows what is made. */
  readonly isWhole: boolean;
  /** The chunks that are made, and those that follow. */
  readonly all: Chunks;
}

/** Makes the chunks of a body until they have more than so many bytes, or it ends. Rejects with an error of these chunks. */
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

/** Makes all chunks, for nobody. */
export async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

/** A reader who leaves ends the chunks, also while it takes those that are made. */
async function* resumed(made: readonly Uint8Array[], chunks: Chunks): Chunks {
  try {
    yield* made;
    yield* chunks;
  } finally {
    await chunks.return();
  }
}
