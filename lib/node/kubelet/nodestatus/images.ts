import type { ContainerImage } from '#lib/api/types/core.v1.ts';
import type { Image } from '#lib/node/cri-api/generated/runtime-v1.ts';

/** Upstream's nodeStatusMaxImages, and the maximum number of names per image. */
const MAX_IMAGES = 50;
const MAX_NAMES = 5;

/** The images in a Node's status: the largest first, at most `max`, or all with -1. Names with digests come before tags. */
export function nodeImages(images: readonly Image[], max = MAX_IMAGES): ContainerImage[] {
  const sorted = [...images].sort(bySize);
  return (max < 0 ? sorted : sorted.slice(0, max)).map(({ repoDigests, repoTags, size }) => ({
    names: [...repoDigests, ...repoTags].slice(0, MAX_NAMES),
    ...(size > 0n && { sizeBytes: Number(size) }),
  }));
}

function bySize(a: Image, b: Image): number {
  if (a.size !== b.size) return a.size > b.size ? -1 : 1;
  return a.id > b.id ? -1 : 1;
}
