import type { KeyToPath } from '#lib/api/types/core.v1.ts';
import type { FileProjection, Payload } from './atomic-writer.ts';

/** Maps keys of an object to files. */
export interface KeySelection {
  readonly items: readonly KeyToPath[];
  readonly defaultMode: number | undefined;
  /** Whether missing keys are skipped. */
  readonly optional: boolean;
  /** The error for a missing key. */
  readonly missing: (key: string) => string;
}

/** The files for an object's keys: all of them under their own names, or the selected ones. Throws for a missing key. */
export function keysPayload(values: ReadonlyMap<string, Uint8Array>, selection: KeySelection): Payload {
  const { items, optional, missing } = selection;
  const mode = requireMode(selection.defaultMode);
  if (items.length === 0) return new Map([...values].map(([name, data]) => [name, { data, mode }]));
  const payload = new Map<string, FileProjection>();
  for (const item of items) {
    const data = values.get(item.key);
    if (data !== undefined) payload.set(item.path, { data, mode: item.mode ?? mode });
    else if (!optional) throw new Error(missing(item.key));
  }
  return payload;
}

/** The default mode, which the API server sets. Throws if it is missing. */
export function requireMode(mode: number | undefined): number {
  if (mode === undefined) throw new Error('no defaultMode used, not even the default value for it');
  return mode;
}
