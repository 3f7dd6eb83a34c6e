import type { ContainerImage } from '#lib/api/types/core.v1.ts';
import type { Image } from '#lib/node/cri-api/generated/runtime-v1.ts';

/** Upstream's nodeStatusMaxImages, and how many names it shows of each. */
const MAX_IMAGES = 50;
const MAX_NAMES = 5;

/** The images that a Node shows: the largest first, `max` at most, or all with -1. Names with digests come before tags. */
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
