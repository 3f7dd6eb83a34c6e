import type { Sequence, Version } from '../sequence.ts';
import type { ListSize } from '../storage.ts';
import { LogOverlay } from './log-overlay.ts';
import { retryExpired } from './log-reader.ts';

/** A key prefix and a version. */
export interface PrefixAt {
  readonly sequence: Sequence;
  readonly prefix: string;
  readonly version: Version;
}

/**
 * The maximum size under a prefix at a version. It adds the extent of the state and the objects in the log after it, which may have
 * replaced smaller ones. Undefined if the store does not report its extent.
 */
export const sizeAt = (at: PrefixAt): Promise<ListSize | undefined> => retryExpired(() => sizeOnce(at));

async function sizeOnce({ sequence, prefix, version }: PrefixAt): Promise<ListSize | undefined> {
  const extent = await sequence.extent(prefix);
  if (extent === undefined) return undefined;
  let { objects, bytes } = extent;
  const overlay = new LogOverlay(sequence, prefix, version, extent.from);
  await overlay.advance();
  for (const key of overlay.keys(undefined, undefined)) {
    const object = await overlay.read(key);
    if (object === undefined) continue;
    objects += 1;
    bytes += object.body.length;
  }
  return { objects, bytes };
}
