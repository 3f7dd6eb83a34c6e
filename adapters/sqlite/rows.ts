import type { SQLOutputValue } from 'node:sqlite';
import { StoreError } from '#lib/storage/errors.ts';
import type { Change, ChangeType, Proposal, Version } from '#lib/storage/sequence.ts';
import { checkFormat } from './schema.ts';

export type Row = Record<string, SQLOutputValue>;

/** What of a change is neither a column of its own nor bytes. */
type Meta = Pick<Change, 'labels' | 'fields' | 'generation' | 'ownerReferences' | 'previous'>;

export function encodeMeta({ labels, fields, generation, ownerReferences, previous }: Proposal): string {
  const meta: Meta = { labels, fields, generation, ownerReferences, ...(previous === undefined ? {} : { previous }) };
  return JSON.stringify(meta);
}

/** The change of a row of the log; undefined for an empty entry's. */
export function changeOf(row: Row): Change | undefined {
  checkFormat(row['format']);
  if (row['key'] === null) return undefined;
  const { meta, body, previous } = row;
  if (typeof meta !== 'string' || !isChangeType(row['type'])) throw corrupt('log');
  return {
    ...(JSON.parse(meta) as Meta),
    version: versionAt(row, 'version'),
    key: textAt(row, 'key'),
    type: row['type'],
    body: bytes(body),
    ...(previous === null ? {} : { previousBody: bytes(previous) }),
  };
}

export interface StateItem {
  readonly key: string;
  readonly version: Version;
  readonly body: Uint8Array;
}

export function itemOf(row: Row): StateItem {
  checkFormat(row['format']);
  return { key: textAt(row, 'key'), version: versionAt(row, 'version'), body: bytes(row['body']) };
}

export function versionAt(row: Row, column: string): Version {
  const value = row[column];
  if (typeof value !== 'number') throw corrupt(column);
  return value;
}

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
