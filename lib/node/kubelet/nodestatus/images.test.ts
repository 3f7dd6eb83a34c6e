import { expect, test } from 'vitest';
import { Image } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { nodeImages } from './images.ts';

const image = (id: string, size: number, repoTags: string[] = [id], repoDigests: string[] = []): Image =>
  Image.fromPartial({ id, size, repoTags, repoDigests });

test('lists the largest images first, with five names each and digests before tags', () => {
  const many = ['1', '2', '3', '4', '5'].map((tag) => `b:${tag}`);
  expect(nodeImages([image('a', 1), image('b', 3, many, ['b@sha256:1']), image('c', 0), image('d', 1)])).toEqual([
    { names: ['b@sha256:1', 'b:1', 'b:2', 'b:3', 'b:4'], sizeBytes: 3 },
    { names: ['d'], sizeBytes: 1 },
    { names: ['a'], sizeBytes: 1 },
    { names: ['c'] },
  ]);
});

test('lists fifty images, or all with -1', () => {
  const images = Array.from({ length: 60 }, (_, index) => image(String(index), index));
  expect(nodeImages(images)).toHaveLength(50);
  expect(nodeImages(images, -1)).toHaveLength(60);
  expect(nodeImages(images, 0)).toEqual([]);
});
