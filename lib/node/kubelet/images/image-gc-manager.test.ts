import { beforeEach, describe, expect, test } from 'vitest';
import type { RunningPod } from '../container/runtime.ts';
import { StepClock } from '../testing/step-clock.ts';
import { formatSize } from './format-size.ts';
import { DEFAULT_IMAGE_GC_POLICY, ImageGCManager, type ImageGCPolicy } from './image-gc-manager.ts';
import { runImageGC } from './run-image-gc.ts';
import { anImage, FakeImages } from './testing/fake-images.ts';

const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } };

let images: FakeImages;
let clock: StepClock;
let events: string[];
let used: string[];
let fs: { capacity: number; available: number };
let remaining: (readonly string[])[];
const recorder = {
  event: (_: unknown, type: string, reason: string, message: string) => events.push(`${type} ${reason} ${message}`),
};

beforeEach(() => {
  images = new FakeImages();
  clock = new StepClock();
  events = [];
  used = [];
  fs = { capacity: 1000, available: 500 };
  remaining = [];
});

const have = (...ids: string[]): void => ids.forEach((id) => images.present.set(id, anImage(id, { size: 100 })));

const podOf = (imageID: string): RunningPod => ({
  uid: 'u',
  name: 'p',
  namespace: 'd',
  createdAt: 0,
  sandboxes: [],
  containers: [
    {
      id: 'c',
      name: 'app',
      image: imageID,
      imageID,
      imageRef: imageID,
      imageRuntimeHandler: '',
      hash: '',
      state: 'exited',
      podSandboxID: 's',
      createdAt: 0,
    },
  ],
});

const manager = (policy: Partial<ImageGCPolicy> = {}): ImageGCManager =>
  new ImageGCManager({
    images,
    pods: async () => used.map(podOf),
    imageFs: async () => fs,
    recorder,
    node,
    clock,
    policy: { ...DEFAULT_IMAGE_GC_POLICY, ...policy },
    afterGC: async (left) => {
      remaining.push(left);
    },
  });

test.each([
  [{ highThresholdPercent: 101 }, 'invalid HighThresholdPercent 101, must be in range [0-100]'],
  [{ lowThresholdPercent: -1 }, 'invalid LowThresholdPercent -1, must be in range [0-100]'],
  [{ highThresholdPercent: 10 }, 'LowThresholdPercent 80 can not be higher than HighThresholdPercent 10'],
])('rejects the policy %o: %s', (policy, why) => {
  expect(() => manager(policy)).toThrow(why);
});

describe('garbage collection above the high threshold', () => {
  test('removes the least recently used images down to the low threshold', async () => {
    have('a', 'b', 'c', 'd');
    used = ['a', 'd'];
    const gc = manager();
    await gc.detectImages();
    await clock.sleep(60_000);
    used = ['d'];
    await clock.sleep(120_000);
    fs.available = 50;
    await gc.garbageCollect();
    expect(images.removed).toEqual(['b', 'c']);
    expect(remaining).toEqual([['a', 'd']]);
    expect(events).toEqual([]);
  });

  test('keeps images in use, pinned images and images younger than two minutes', async () => {
    have('used', 'pinned');
    images.present.set('pinned', anImage('pinned', { pinned: true }));
    used = ['used'];
    const gc = manager();
    await gc.detectImages();
    await clock.sleep(200_000);
    have('young');
    fs.available = 50;
    const message =
      "Insufficient free disk space on the node's image filesystem (95% of 1000 B used). Failed to free sufficient space by deleting unused images (freed 0 bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.";
    await expect(gc.garbageCollect()).rejects.toThrow(message);
    expect(images.removed).toEqual([]);
    expect(events).toEqual([`Warning FreeDiskSpaceFailed ${message}`]);
  });

  test('continues after an image that cannot be removed', async () => {
    have('a', 'b');
    const gc = manager();
    await gc.detectImages();
    await clock.sleep(120_000);
    fs.available = 50;
    images.onRemove = (id) => {
      if (id === 'a') throw new Error('busy');
    };
    await expect(gc.garbageCollect()).rejects.toThrow(
      'wanted to free 150 bytes, but freed 100 bytes space with errors in image deletion: busy',
    );
    expect(images.removed).toEqual(['b']);
  });
});

test.each([
  [1000, 160, []],
  [1000, 159, ['a']],

  [1000, 2000, []],
])('removes images of a disk with %i bytes of which %i are available: %o', async (capacity, available, gone) => {
  have('a', 'b');
  const gc = manager();
  await gc.detectImages();
  await clock.sleep(120_000);
  fs = { capacity, available };
  await gc.garbageCollect();
  expect(images.removed).toEqual(gone);
});

test('reports a file system without capacity', async () => {
  fs.capacity = 0;
  await expect(manager().garbageCollect()).rejects.toThrow('invalid capacity 0 on image filesystem');
  expect(events).toEqual(['Warning InvalidDiskCapacity invalid capacity 0 on image filesystem']);
});

test('removes images beyond the maximum age once the agent has run that long', async () => {
  have('a', 'b');
  used = ['b'];
  const gc = manager({ maxAge: 3_600_000 });
  await gc.garbageCollect();
  expect(images.removed).toEqual([]);
  await clock.sleep(3_600_001);
  await gc.garbageCollect();
  expect(images.removed).toEqual(['a']);
  used = [];
  await clock.sleep(3_600_000);
  await gc.garbageCollect();
  expect(images.removed).toEqual(['a']);
  await clock.sleep(1);
  images.onRemove = () => {
    throw new Error('busy');
  };
  await expect(gc.garbageCollect()).rejects.toThrow(
    'wanted to free images older than 1h0m0s, encountered errors in image deletion: busy',
  );
});

test('removes all unused images for the eviction manager', async () => {
  have('a', 'b', 'c');
  used = ['b'];
  const gc = manager();
  await gc.detectImages();
  await clock.sleep(120_000);
  await gc.deleteUnusedImages();
  expect(images.removed).toEqual(['a', 'c']);
  expect(remaining).toEqual([['b']]);
});

test('records an event from the second consecutive failure on', async () => {
  const abort = new AbortController();
  const faults: unknown[] = [];
  const looping = new StepClock((sleeps) => {
    fs.capacity = sleeps === 3 ? 1000 : 0;
    if (sleeps === 5) abort.abort();
  });
  fs.capacity = 0;
  const options = {
    manager: manager(),
    recorder,
    node,
    clock: looping,
    onFault: (fault: unknown) => faults.push(fault),
  };
  await runImageGC(options, abort.signal);
  expect(looping.sleeps).toEqual(Array.from({ length: 5 }, () => 300_000));
  expect(faults).toHaveLength(4);
  expect(events.filter((event) => event.includes('ImageGCFailed'))).toEqual([
    'Warning ImageGCFailed invalid capacity 0 on image filesystem',
    'Warning ImageGCFailed invalid capacity 0 on image filesystem',
  ]);
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [10 * 1024 ** 3, '10.0 GiB'],
  [5 * 1024 ** 5, '5120.0 TiB'],
])('formats %i bytes as %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});
