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
  ['less priority', queued(10, 1), queued(100, 2), false],
  ['more priority', queued(100, 2), queued(10, 1), true],
  ['the same, earlier', queued(10, 1), queued(10, 2), true],
  ['the same, later', queued(10, 2), queued(10, 1), false],
  ['the same in all', queued(10, 1), queued(10, 1), false],
])('%s', (_, a, b, isFirst) => {
  expect(prioritySort().less?.(a, b)).toBe(isFirst);
});
