import { isHard, type Threshold } from './parse-threshold-config.ts';
import type { Signal } from './signals.ts';

/** The file systems that the container runtime uses for images and containers. */
export interface DiskLayout {
  /** Images are on a separate file system from the node's. */
  readonly dedicatedImageFs: boolean;
  /** The writable layers of containers are on a separate file system from images. */
  readonly splitContainerFs: boolean;
}

const SIGNALS = ['available', 'inodesFree'] as const;

/**
 * The thresholds plus those for the containers' file system, which are copied from the file system of the node or of images. They replace
 * configured ones, which are reported to `ignored` (upstream: UpdateContainerFsThresholds).
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
