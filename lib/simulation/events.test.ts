import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aPod } from './a-pod.ts';
import { eventsOf } from './events.ts';

const waiting = (reason: string): JsonObject => ({
  startTime: '2026-01-01T00:00:00Z',
  containerStatuses: [{ name: 'c', state: { waiting: { reason } } }],
});
const started = { startTime: '2026-01-01T00:00:00Z' };
const wrong = { behaves: { 'exit-code': 'x' } };
const DEADLINE = { phase: 'Failed', reason: 'DeadlineExceeded', ...started };

test.each<[string, Pod, Pod, string[]]>([
  ['that starts', aPod(), aPod({ status: started }), []],
  [
    'with invalid annotations',
    aPod(wrong),
    aPod({ ...wrong, status: started }),
    ['InvalidAnnotation simulated.davit.dev/exit-code: "x" cannot be read'],
  ],
  [
    'whose invalid annotations were already reported',
    aPod({ ...wrong, status: started }),
    aPod({ ...wrong, status: started }),
    [],
  ],
  [
    'that starts to back off',
    aPod({ status: started }),
    aPod({ status: waiting('CrashLoopBackOff') }),
    ['BackOff Back-off restarting failed container c in pod p_ns(u)'],
  ],
  [
    'that still backs off',
    aPod({ status: waiting('CrashLoopBackOff') }),
    aPod({ status: waiting('CrashLoopBackOff') }),
    [],
  ],
  ['that waits for another reason', aPod({ status: started }), aPod({ status: waiting('ImagePullBackOff') }), []],
  [
    'past its deadline',
    aPod({ status: started }),
    aPod({ status: DEADLINE }),
    ['DeadlineExceeded Pod was active on the node longer than the specified deadline'],
  ],
  ['that failed before', aPod({ status: DEADLINE }), aPod({ status: DEADLINE }), []],
])('reports events for a pod %s', (_, before, after, expected) =>
  expect(eventsOf(before, after).map(({ reason, message }) => `${reason} ${message}`)).toEqual(expected),
);
