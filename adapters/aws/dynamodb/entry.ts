import { defined } from '#lib/machinery/defined.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Change, Proposal, Version } from '#lib/storage/sequence.ts';
import { type ChunkAddress, type Chunks, digest, INLINE_LIMIT } from './chunks.ts';
import { checkFormat, FORMAT, number, numberAt, type Partitions, position, text, textAt } from './layout.ts';
import { pack, unpack } from './pack.ts';
import { decodeChanges, encodeProposals } from './payload.ts';
import type { Item } from './port.ts';

/** One committed item of the log. It occupies the positions from `first` to `last`. */
export interface Entry {
  readonly first: Version;
  readonly last: Version;
  /** The first position of the next entry. It directly follows `last`, unless this entry is a seal, which ends an epoch. */
  readonly next: Version;
  readonly sealed: boolean;
  readonly nonce: string;
  /** The writer's wall clock at the commit, in milliseconds since 1970. */
  readonly committed: number;
  readonly chunks?: { readonly at: ChunkAddress; readonly count: number };
  readonly packed?: Uint8Array;
}

/** The content of an entry, which can be put at any position. */
export interface Draft {
  readonly count: number;
  readonly nonce: string;
  readonly content: Item;
}

/** Packs the proposals. If the content is too large for the item, it is first written to chunks. */
export async function draftEntry(
  proposals: readonly Proposal[],
  { nonce, chunks, where }: { nonce: string; chunks: Chunks; where: Partitions },
): Promise<Draft> {
  const count = proposals.length;
  if (count === 0) return { count, nonce, content: {} };
  const packed = pack(encodeProposals(proposals));
  if (packed.length <= INLINE_LIMIT) return { count, nonce, content: { b: { B: packed } } };
  const set = digest(packed);
  const parts = await chunks.write({ partition: where.logChunks(nonce), set }, packed);
  return { count, nonce, content: { c: text(set), p: number(parts) } };
}

/** The item of a log entry whose first change has the position `first`. `committed` is in milliseconds since 1970. */
export function entryItem(draft: Draft, at: { where: Partitions; first: Version; committed: number }): Item {
  return {
    pk: text(at.where.log),
    sk: text(position(at.first)),
    f: number(FORMAT),
    k: number(draft.count),
    n: text(draft.nonce),
    t: number(Math.floor(at.committed)),
    ...draft.content,
  };
}

/**
 * Decodes an item of the log, without its changes. Throws UnknownFormat for a format that this program cannot read, and Corrupt for any
 * other invalid item.
 */
export function readEntry(item: Item, where: Partitions): Entry {
  checkFormat(item);
  const first = Number(textAt(item, 'sk'));
  const last = first + Math.max(numberAt(item, 'k'), 1) - 1;
  const nonce = textAt(item, 'n');
  const packed = item['b']?.B;
  const parts = item['p'] === undefined ? undefined : numberAt(item, 'p');
  return {
    first,
    last,
    next: item['to'] === undefined ? last + 1 : numberAt(item, 'to'),
    sealed: item['to'] !== undefined,
    nonce,
    committed: numberAt(item, 't'),
    ...defined({ packed }),
    ...(parts === undefined
      ? {}
      : { chunks: { at: { partition: where.logChunks(nonce), set: textAt(item, 'c') }, count: parts } }),
  };
}

/** Returns the changes of an entry. Throws Expired if its chunks were deleted, because a drop deletes them before the entry. */
export async function entryChanges(entry: Entry, chunks: Chunks): Promise<Change[]> {
  const packed = entry.packed ?? (await chunkedBytes(entry, chunks));
  return packed === undefined ? [] : decodeChanges(unpack(packed), entry.first);
}

async function chunkedBytes({ chunks: held, first }: Entry, chunks: Chunks): Promise<Uint8Array | undefined> {
  if (held === undefined) return undefined;
  const bytes = await chunks.read(held.at, held.count);
  if (bytes === undefined) throw new StoreError('Expired', `the entry at ${first} is being compacted`);
  return bytes;
}
