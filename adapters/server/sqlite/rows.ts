import type { SQLOutputValue } from 'node:sqlite';
import { defined } from '#lib/machinery/defined.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { damaged, NO_SUMMARY } from '#lib/storage/damage.ts';
import { sealedAt } from '#lib/storage/encryption/sealed-body.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Change, ChangeType, Proposal, Version } from '#lib/storage/sequence.ts';
import { checkFormat } from './schema.ts';

/** A row of a query: values by column. */
export type Row = Record<string, SQLOutputValue>;

/** The parts of a change that are neither bytes nor in a separate column. */
type Meta = Pick<Change, 'labels' | 'fields' | 'generation' | 'ownerReferences' | 'previous'>;

/** Encodes a change without its body as JSON. */
export function encodeMeta({ labels, fields, generation, ownerReferences, previous }: Proposal): string {
  const meta: Meta = { labels, fields, generation, ownerReferences, ...defined({ previous }) };
  return JSON.stringify(meta);
}

/** The change in a row of the log. Undefined for an empty entry. */
export function changeOf(row: Row): Change | undefined {
  checkFormat(row['format']);
  if (row['key'] === null) return undefined;
  const { previous, type } = row;
  if (!isChangeType(type)) throw corrupt('type');
  const [key, body, meta] = [textAt(row, 'key'), bytes(row['body']), metaOf(row)];
  const damage = meta === undefined ? damaged(key) : damageIn(row, key, body);
  return {
    ...(meta ?? NO_SUMMARY),
    version: versionAt(row, 'version'),
    key,
    type,
    body,
    ...(previous === null ? {} : { previousBody: bytes(previous) }),
    ...defined({ damage }),
  };
}

function metaOf({ meta }: Row): Meta | undefined {
  if (typeof meta !== 'string') return undefined;
  try {
    return JSON.parse(meta) as Meta;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** An object of the state, or the reason why it cannot be read. */
export interface StateItem {
  readonly key: string;
  readonly version: Version;
  readonly body: Uint8Array;
  readonly damage?: StoreError;
}

/** Decodes a row of the state. Throws UnknownFormat or Corrupt. */
export function itemOf(row: Row): StateItem {
  checkFormat(row['format']);
  const [key, body] = [textAt(row, 'key'), bytes(row['body'])];
  const damage = damageIn(row, key, body);
  return { key, version: versionAt(row, 'version'), body, ...defined({ damage }) };
}

/** A column for queries: whether SQLite considers the body to be valid JSON. The check takes a twentieth of the time of the read. */
export const VALID = 'json_valid(CAST(body AS TEXT)) AS valid';

/**
 * Reports damage of a body. Encrypted bodies authenticate themselves. SQLite rejects very deeply nested JSON, which this program can read.
 */
function damageIn({ valid }: Row, key: string, body: Uint8Array): StoreError | undefined {
  if (valid !== 0 || sealedAt(body) >= 0) return undefined;
  try {
    parseStored(body);
    return undefined;
  } catch (error) {
    return damaged(key, error);
  }
}

/** The version in a column. Throws Corrupt if it has none. */
export function versionAt(row: Row, column: string): Version {
  const value = row[column];
  if (typeof value !== 'number') throw corrupt(column);
  return value;
}

/** The text in a column. Throws Corrupt if it has none. */
export function textAt(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw corrupt(column);
  return value;
}

function bytes(value: SQLOutputValue | undefined): Uint8Array {
  if (!(value instanceof Uint8Array)) throw corrupt('body');
  return value;
}

const isChangeType = (value: unknown): value is ChangeType =>
  value === 'ADDED' || value === 'MODIFIED' || value === 'DELETED';

const corrupt = (what: string): StoreError => new StoreError('Corrupt', `a row has no ${what} that makes sense`);
