import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { ObjectKey } from '#lib/storage/keys.ts';
import type { Version } from '#lib/storage/sequence.ts';
import { TABLE } from './table.ts';

/** The format that this program writes, and the newest format that it reads. No earlier format exists yet. */
export const FORMAT = 1;

/** The partition keys of one sequence (docs/adr/0002). `name` begins with the logical cluster. */
export const partitions = (name: string) => ({
  /** Sort key: the position. One item per entry. */
  log: `${TABLE.logPrefix}${name}`,
  /** Sort key: the object's key. Holds the checkpointed state. */
  state: `state/${name}`,
  /** Sort keys: `watermark`, and `cursor/<reader>` for each reader whose unread entries are kept. */
  marks: `marks/${name}`,
  /** Chunks of an object's state, with the sort key `<version>/<part>`. */
  stateChunks: (key: string) => `chunk/${name}/${key}`,
  /** Chunks of a log entry, with the sort key `<digest>/<part>`. Keys of objects never begin with a slash. */
  logChunks: (nonce: string) => `chunk/${name}//${nonce}`,
});
/** The partition keys of a sequence. */
export type Partitions = ReturnType<typeof partitions>;

/** The partition of an owner's dependents. Sort key: a dependent's key. It contains entries of all sequences of a logical cluster. */
export const dependentsOf = (cluster: string, owner: string): string => `dependents/${cluster}/${owner}`;

/** Sort key: the key of an object whose field has the value. */
export const fieldIndex = ({ cluster, group, resource }: IndexedResource, field: string, value: string): string =>
  `index/${cluster}/${group}/${resource}/${field}/${value}`;

type IndexedResource = Pick<ObjectKey, 'cluster' | 'group' | 'resource'>;

/** Sort key: the sequence's name. */
export const NAMES = 'names';
/** The sort key of the watermark. */
export const WATERMARK = 'watermark';
/** The prefix of the sort keys of cursors. */
export const CURSOR_PREFIX = 'cursor/';
/** Sorts above every key that begins with the text before it. */
export const LAST = '\u{10ffff}';

/** The sort key of a version. It has 16 digits, as 2^53 has. */
export const position = (version: Version): string => String(version).padStart(16, '0');

/** DynamoDB's limit on the size of a sort key. */
const MAX_KEY_BYTES = 1024;

/** Throws TooLarge for a key under which no state could be stored. Such a key in the log would block every checkpoint. */
export function checkKey(key: string): void {
  const bytes = Buffer.byteLength(key);
  if (bytes > MAX_KEY_BYTES) {
    throw new StoreError('TooLarge', `a key of ${bytes} bytes is longer than ${MAX_KEY_BYTES}: ${key.slice(0, 100)}…`);
  }
}

/** An attribute of type string. */
export const text = (value: string): AttributeValue => ({ S: value });
/** An attribute of type number. */
export const number = (value: number): AttributeValue => ({ N: String(value) });

/** The number stored under a name. Throws Corrupt if the item has none. */
export function numberAt(item: Record<string, AttributeValue>, name: string): number {
  const value = Number(item[name]?.N);
  if (!Number.isSafeInteger(value)) throw new StoreError('Corrupt', `an item has no number ${name}`);
  return value;
}

/** The text stored under a name. Throws Corrupt if the item has none. */
export function textAt(item: Record<string, AttributeValue>, name: string): string {
  const value = item[name]?.S;
  if (value === undefined) throw new StoreError('Corrupt', `an item has no text ${name}`);
  return value;
}

const TOMBSTONE_SECONDS = 24 * 60 * 60;

/** The attributes of an item that marks a deletion. The item stays for a day, so that no late step undoes the deletion. */
export function tombstone(clock: Clock): Record<string, AttributeValue> {
  return { d: { BOOL: true }, ttl: number(Math.floor(clock.now() / 1000) + TOMBSTONE_SECONDS) };
}

/** Reports whether the item marks a deletion. */
export const isTombstone = (item: Record<string, AttributeValue>): boolean => item['d']?.BOOL === true;

/** Throws UnknownFormat for an item that a newer program wrote. */
export function checkFormat(item: Record<string, AttributeValue>): void {
  const format = numberAt(item, 'f');
  if (format > FORMAT) throw new StoreError('UnknownFormat', `format ${format} is newer than this program's ${FORMAT}`);
  if (format < FORMAT) throw new StoreError('Corrupt', `there is no format ${format}`);
}
