import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { PodStats } from '../stats/summary.ts';
import { aPod } from '../testing/pods.ts';
import type { DiskLayout } from './container-fs-thresholds.ts';
import { statsOf } from './pod-usage.ts';
import { rank, reclaims } from './rank.ts';
import type { Signal } from './signals.ts';

const TIME = '2026-01-01T00:00:00Z';
const ONE: DiskLayout = { dedicatedImageFs: false, splitContainerFs: false };
const IMAGES: DiskLayout = { dedicatedImageFs: true, splitContainerFs: false };
const SPLIT: DiskLayout = { dedicatedImageFs: true, splitContainerFs: true };

interface Use {
  readonly priority?: number;
  readonly requests?: Record<string, string>;
  readonly memory?: number;
  readonly root?: number;
  readonly logs?: number;
  readonly volume?: number;
  readonly processes?: number;
}

const podOf = (name: string, { priority = 0, requests = {} }: Use): Pod =>
  aPod(name, {
    spec: {
      priority,
      containers: [{ name: 'app', resources: { requests } }],
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'tmpfs', emptyDir: { medium: 'Memory' } },
      ],
    },
  });

const fs = (used: number) => ({ time: TIME, usedBytes: BigInt(used), inodesUsed: BigInt(used) });

const statsFor = (name: string, use: Use): PodStats => ({
  podRef: { name, namespace: 'default', uid: `uid-${name}` },
  startTime: TIME,
  containers: [{ name: 'app', startTime: TIME, rootfs: fs(use.root ?? 0), logs: fs(use.logs ?? 0) }],
  memory: { time: TIME, workingSetBytes: BigInt(use.memory ?? 0) },
  volume: [
    { ...fs(use.volume ?? 0), name: 'v' },
    { ...fs(1_000_000), name: 'tmpfs' },
  ],
  process_stats: { process_count: BigInt(use.processes ?? 0) },
});

/** The names in eviction order. A pod with undefined usage has no statistics. */
function order(signal: Signal, uses: Readonly<Record<string, Use | undefined>>, layout = ONE): string {
  const pods = Object.entries(uses).map(([name, use = {}]) => podOf(name, use));
  const stats = Object.entries(uses).flatMap(([name, use]) => (use === undefined ? [] : [statsFor(name, use)]));
  return rank(signal, layout, pods, statsOf(stats))
    .map(({ metadata }) => metadata.name)
    .join(' ');
}

describe('the eviction order of pods', () => {
  test.each<readonly [string, Signal, Record<string, Use | undefined>, string]>([
    ['without statistics before others', 'memory.available', { a: { memory: 9 }, none: undefined }, 'none a'],
    [
      'over their request before others, regardless of priority',
      'memory.available',
      { within: { memory: 90, requests: { memory: '100' } }, over: { memory: 2, priority: 100 } },
      'over within',
    ],
    [
      'by priority before usage',
      'memory.available',
      { high: { memory: 900, priority: 10 }, low: { memory: 1 } },
      'low high',
    ],
    [
      'by their usage above the request',
      'allocatableMemory.available',
      {
        a: { memory: 300, requests: { memory: '200' } },
        b: { memory: 150 },
        c: { memory: 400, requests: { memory: '1' } },
      },
      'c b a',
    ],
    [
      'for processes by priority, then by the number of processes',
      'pid.available',
      { few: { processes: 1 }, high: { processes: 99, priority: 1 }, many: { processes: 50 } },
      'many few high',
    ],
    [
      'for disk space by layers, logs and local volumes',
      'nodefs.available',
      { layers: { root: 5 }, logs: { logs: 6 }, volumes: { volume: 7 }, tmpfs: {} },
      'volumes logs layers tmpfs',
    ],
    [
      'for inodes after others if they request storage',
      'nodefs.inodesFree',
      { asks: { root: 50, requests: { 'ephemeral-storage': '1Gi' } }, plain: { root: 5 } },
      'plain asks',
    ],
  ])('evicts pods %s', (_, signal, uses, expected) => {
    expect(order(signal, uses)).toBe(expected);
  });

  test.each<readonly [string, Signal, DiskLayout, string]>([
    ['the node’s disk if images have their own', 'nodefs.available', IMAGES, 'logs layers'],
    ['the images’ disk', 'imagefs.available', IMAGES, 'layers logs'],
    ['the containers’ disk, which is the images’', 'containerfs.available', IMAGES, 'layers logs'],
    ['the node’s disk if containers use it', 'nodefs.available', SPLIT, 'layers logs'],
    ['the containers’ disk, which is the node’s', 'containerfs.available', SPLIT, 'layers logs'],
  ])('evicts pods by their usage of %s', (_, signal, layout, expected) => {
    expect(order(signal, { logs: { logs: 5 }, layers: { root: 9 } }, layout)).toBe(expected);
  });
});

test.each<readonly [Signal, DiskLayout, string]>([
  ['memory.available', ONE, ''],
  ['pid.available', ONE, ''],
  ['nodefs.available', ONE, 'containers images'],
  ['imagefs.inodesFree', ONE, 'containers images'],
  ['nodefs.available', IMAGES, ''],
  ['imagefs.available', IMAGES, 'containers images'],
  ['containerfs.available', IMAGES, 'containers images'],
  ['nodefs.inodesFree', SPLIT, 'containers'],
  ['imagefs.available', SPLIT, 'images'],
  ['containerfs.available', SPLIT, 'containers'],
])('reclaims before an eviction for %s with %j: %s', (signal, layout, expected) => {
  expect(reclaims(signal, layout).join(' ')).toBe(expected);
});
