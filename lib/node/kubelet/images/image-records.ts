import type { Image } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RunningPod } from '../container/runtime.ts';

/** The collector's knowledge of an image. Times are of the clock's monotonic time. */
export interface UnusedImage {
  readonly id: string;
  readonly firstDetected: number;
  /** -Infinity for an image that was never seen in use. */
  readonly lastUsed: number;
  /** Bytes. */
  readonly size: number;
  /** Whether the runtime wants it kept: that of sandboxes is. */
  readonly pinned: boolean;
}

/** One look at the images. */
export interface Look {
  readonly used: ReadonlySet<string>;
  readonly detected: number;
  readonly now: number;
}

/** The ids of images that containers use, running or not. */
export const imagesInUse = (pods: readonly RunningPod[]): ReadonlySet<string> =>
  new Set(pods.flatMap(({ containers }) => containers.map(({ imageID }) => imageID)));

/** Images of the node since they were first seen. */
export class ImageRecords {
  readonly #records = new Map<string, UnusedImage>();

  /** The ids of the images that are there. */
  get ids(): readonly string[] {
    return [...this.#records.keys()];
  }

  /** Notes the images that are there and forgets the others. */
  update(images: readonly Image[], { used, detected, now }: Look): void {
    const present = new Set(images.map(({ id }) => id));
    for (const { id, size, pinned } of images) {
      const known = this.#records.get(id);
      this.#records.set(id, {
        id,
        firstDetected: known?.firstDetected ?? detected,
        lastUsed: used.has(id) ? now : (known?.lastUsed ?? -Infinity),
        size: Number(size),
        pinned,
      });
    }
    for (const id of this.ids) if (!present.has(id)) this.#records.delete(id);
  }

  delete(id: string): void {
    this.#records.delete(id);
  }

  /** Images that may go: the longest unused first, of those the ones that were seen first. */
  unused(used: ReadonlySet<string>): readonly UnusedImage[] {
    return [...this.#records.values()].filter(({ id, pinned }) => !pinned && !used.has(id)).sort(byUse);
  }
}

function byUse(a: UnusedImage, b: UnusedImage): number {
  if (a.lastUsed !== b.lastUsed) return a.lastUsed < b.lastUsed ? -1 : 1;
  return a.firstDetected - b.firstDetected;
}
