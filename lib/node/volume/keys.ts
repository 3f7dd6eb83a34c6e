import type { KeyToPath } from '#lib/api/types/core.v1.ts';
import type { FileProjection, Payload } from './atomic-writer.ts';

/** How keys of an object become files. */
export interface KeySelection {
  readonly items: readonly KeyToPath[];
  readonly defaultMode: number | undefined;
  /** Whether a missing key is left out. */
  readonly optional: boolean;
  /** The error of a missing key. */
  readonly missing: (key: string) => string;
}

/** The files of an object's keys: all of them under their names, or the selected ones. Throws for a missing key. */
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

/** The default mode, which the API server fills in. Throws where it did not. */
export function requireMode(mode: number | undefined): number {
  if (mode === undefined) throw new Error('no defaultMode used, not even the default value for it');
  return mode;
}
