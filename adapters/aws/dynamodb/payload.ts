import { StoreError } from '#lib/storage/errors.ts';
import type { Change, Proposal, Version } from '#lib/storage/sequence.ts';
import { stamp } from '#lib/storage/stamp.ts';

/** A stored change: all fields except its version and bytes, plus the lengths of the bodies that follow. */
type Head = Omit<Proposal, 'body' | 'previousBody'> & { readonly size: number; readonly previousSize?: number };

/**
 * Encodes an entry's changes as the length of a JSON array of heads, the array, and the bodies. The bytes do not depend on the entry's
 * position, so a retry at another position needs no second encoding. Versions are added to bodies when they are read.
 */
export function encodeProposals(proposals: readonly Proposal[]): Uint8Array {
  const heads = Buffer.from(JSON.stringify(proposals.map(headOf)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(heads.length);
  return Buffer.concat([length, heads, ...proposals.flatMap((p) => [p.body, p.previousBody ?? new Uint8Array()])]);
}

function headOf({ body, previousBody, ...head }: Proposal): Head {
  return { ...head, size: body.length, ...(previousBody === undefined ? {} : { previousSize: previousBody.length }) };
}

/** The changes of an entry whose first position is `first`. Throws Corrupt if the bytes are not such an entry. */
export function decodeChanges(bytes: Uint8Array, first: Version): Change[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 4) throw new StoreError('Corrupt', 'an entry is too short');
  const bodiesAt = 4 + view.readUInt32BE(0);
  const take = reader(view, bodiesAt);
  return parseHeads(view.subarray(4, bodiesAt)).map(({ size, previousSize, ...head }, i) => {
    const body = stamp(take(size), first + i);
    const previous = previousSize === undefined ? {} : { previousBody: take(previousSize) };
    return { ...head, version: first + i, body, ...previous };
  });
}

function parseHeads(bytes: Buffer): Head[] {
  let heads: unknown;
  try {
    heads = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new StoreError('Corrupt', 'the heads of an entry are not JSON', { cause: error });
  }
  if (!Array.isArray(heads)) throw new StoreError('Corrupt', 'the heads of an entry are not an array');
  return heads as Head[];
}

function reader(view: Buffer, start: number): (size: number) => Uint8Array {
  let at = start;
  return (size) => {
    const end = at + size;
    if (!(size >= 0 && end <= view.length)) throw new StoreError('Corrupt', 'an entry ends within a body');
    const bytes = view.subarray(at, end);
    at = end;
    return bytes;
  };
}
