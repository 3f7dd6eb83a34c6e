import type { Image } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RunningPod } from '../container/runtime.ts';

/** The garbage collector's record of an image. Times are monotonic. */
export interface UnusedImage {
  readonly id: string;
  readonly firstDetected: number;
  /** -Infinity if the image was never seen in use. */
  readonly lastUsed: number;
  /** Size in bytes. */
  readonly size: number;
  /** Whether the runtime pins the image, such as the sandbox image. */
  readonly pinned: boolean;
}

/** The result of one check of the images. */
export interface Look {
  readonly used: ReadonlySet<string>;
  readonly detected: number;
  readonly now: number;
}

/** The ids of images used by containers, running or not. */
export const imagesInUse = (pods: readonly RunningPod[]): ReadonlySet<string> =>
  new Set(pods.flatMap(({ containers }) => containers.map(({ imageID }) => imageID)));

/** Tracks the node's images from the time they were first seen. */
export class ImageRecords {
  readonly #records = new Map<string, UnusedImage>();

  /** The ids of the existing images. */
  get ids(): readonly string[] {
    return [...this.#records.keys()];
  }

  /** Records the existing images and forgets the others. */
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

  /** Images that may be removed: least recently used first, then first seen. */
  unused(used: ReadonlySet<string>): readonly UnusedImage[] {
    return [...this.#records.values()].filter(({ id, pinned }) => !pinned && !used.has(id)).sort(byUse);
  }
}

function byUse(a: UnusedImage, b: UnusedImage): number {
  if (a.lastUsed !== b.lastUsed) return a.lastUsed < b.lastUsed ? -1 : 1;
  return a.firstDetected - b.firstDetected;
}
