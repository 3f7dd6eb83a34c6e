import type { Sequence, Version } from '../sequence.ts';
import type { ListSize } from '../storage.ts';
import { LogOverlay } from './log-overlay.ts';
import { retryExpired } from './log-reader.ts';

/** A prefix of keys, and the version to look at it. */
export interface PrefixAt {
  readonly sequence: Sequence;
  readonly prefix: string;
  readonly version: Version;
}

/**
 * How much is there at most under a prefix at a version: the extent of the state, and what the log has behind it, in whose place
 * something smaller may have been. Undefined where the store does not tell.
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
