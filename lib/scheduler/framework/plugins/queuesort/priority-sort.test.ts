import { expect, test } from 'vitest';
import { aPodInfo } from '#lib/scheduler/testing/wrappers.ts';
import type { QueuedPodInfo } from '../../interface.ts';
import { prioritySort } from './priority-sort.ts';

const queued = (priority: number, timestamp: number): QueuedPodInfo => ({
  podInfo: aPodInfo({ priority }),
  timestamp,
  attempts: 0,
});

test.each<[string, QueuedPodInfo, QueuedPodInfo, boolean]>([
  ['lower priority', queued(10, 1), queued(100, 2), false],
  ['higher priority', queued(100, 2), queued(10, 1), true],
  ['same priority, earlier', queued(10, 1), queued(10, 2), true],
  ['same priority, later', queued(10, 2), queued(10, 1), false],
  ['same priority and time', queued(10, 1), queued(10, 1), false],
])('compares pods by priority and time: %s', (_, a, b, isFirst) => {
  expect(prioritySort().less?.(a, b)).toBe(isFirst);
});
