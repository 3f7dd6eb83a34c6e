import { isHard, type Threshold } from './parse-threshold-config.ts';
import type { Signal } from './signals.ts';

/** Where the container runtime keeps images and containers. */
export interface DiskLayout {
  /** Images are on another file system than the node's. */
  readonly dedicatedImageFs: boolean;
  /** The writable layers of containers are on another file system than images. */
  readonly splitContainerFs: boolean;
}

const SIGNALS = ['available', 'inodesFree'] as const;

/**
 * The thresholds with those of the containers' file system, which is the file system of the node or of images. They take the place of
 * configured ones, each of which is told to `ignored` (upstream: UpdateContainerFsThresholds).
 */
export function withContainerFs(
  thresholds: readonly Threshold[],
  { dedicatedImageFs, splitContainerFs }: DiskLayout,
  ignored: (message: string) => void,
): Threshold[] {
  for (const threshold of thresholds)
    if (isOfContainerFs(threshold.signal))
      ignored(`found ${threshold.signal} for ${isHard(threshold) ? 'hard' : 'soft'} eviction. ignoring`);
  const source = dedicatedImageFs && !splitContainerFs ? 'imagefs' : 'nodefs';
  const own = SIGNALS.flatMap((kind) => {
    const of = thresholds.filter(({ signal }) => signal === `${source}.${kind}`);
    const last = [of.findLast(isHard), of.findLast((threshold) => !isHard(threshold))];
    return last.flatMap((threshold): Threshold[] =>
      threshold === undefined ? [] : [{ ...threshold, signal: `containerfs.${kind}` }],
    );
  });
  return [...thresholds.filter(({ signal }) => !isOfContainerFs(signal)), ...own];
}

const isOfContainerFs = (signal: Signal): boolean => signal.startsWith('containerfs.');
