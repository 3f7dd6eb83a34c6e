import { expect, test } from 'vitest';
import { scoresOn } from '#lib/scheduler/testing/extension-points.ts';
import { aHandle, aNode, aPod, aSnapshot } from '#lib/scheduler/testing/wrappers.ts';
import { imageLocality } from './image-locality.ts';

const MB = 1024 * 1024;
/** Each image's name is its size. */
const imagesOf = (...sizes: number[]): Record<string, number> =>
  Object.fromEntries(sizes.map((size) => [`gcr.io/${size}:latest`, size * MB]));
const containers = (...sizes: number[]) => sizes.map((size) => ({ name: `c${size}`, image: `gcr.io/${size}` }));
const volume = { name: 'v', image: { reference: 'gcr.io/300' } };

test.each<[string, Parameters<typeof aPod>[0] & object, number[][], number[]]>([
  [
    'prefers the larger of two images',
    { spec: { containers: containers(40, 250) } },
    [
      [40, 300, 2000],
      [250, 10],
    ],
    [0, 5],
  ],
  [
    'prefers a node with both images',
    { spec: { containers: containers(40, 300) } },
    [
      [40, 300, 2000],
      [250, 10],
    ],
    [7, 0],
  ],
  [
    'caps the score of large images',
    { spec: { containers: containers(10, 4000) } },
    [
      [4000, 30],
      [250, 10],
    ],
    [100, 0],
  ],
  [
    'lowers the score of an image on few nodes',
    { spec: { containers: containers(10, 4000) } },
    [[4000, 30], [250, 10], []],
    [66, 0, 0],
  ],
  [
    'adds several large images',
    { spec: { containers: containers(300, 600, 900) } },
    [[600, 40, 900], [300, 600, 900], []],
    [32, 36, 0],
  ],
  [
    'ignores small images',
    { spec: { containers: containers(30, 40) } },
    [
      [20, 30, 40],
      [4000, 30],
    ],
    [1, 0],
  ],
  [
    'counts images of init containers',
    { spec: { initContainers: containers(300), containers: containers(30) } },
    [
      [300, 600, 900],
      [20, 30, 40],
    ],
    [6, 0],
  ],
  [
    'counts images of volumes',
    { spec: { containers: containers(30), volumes: [volume] } },
    [
      [300, 600, 900],
      [20, 30, 40],
    ],
    [12, 0],
  ],
])('scores images: %s', (_, pod, images, expected) => {
  const snapshot = aSnapshot(images.map((sizes, i) => aNode({ name: `n${i}`, images: imagesOf(...sizes) })));
  expect(scoresOn(imageLocality(undefined, aHandle({ snapshot })), aPod(pod), snapshot.nodes)).toEqual(expected);
});

test.each(['image', 'host:80/image', 'image:v1', 'image@sha256:ab'])(
  'finds the image %s under the name that nodes report',
  (image) => {
    const name = /:(v1|ab)$/.test(image) ? image : `${image}:latest`;
    const snapshot = aSnapshot([aNode({ images: { [name]: 1000 * MB } })]);
    const pod = aPod({ spec: { containers: [{ name: 'c', image }] } });
    expect(scoresOn(imageLocality(undefined, aHandle({ snapshot })), pod, snapshot.nodes)).toEqual([100]);
  },
);
