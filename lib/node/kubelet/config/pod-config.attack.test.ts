import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aPod } from '../testing/pods.ts';
import { PodConfig } from './pod-config.ts';

const spec = (more: Partial<Pod['spec']>): Partial<Pod> => ({ spec: { ...aPod('a').spec, ...more } });
const container = { image: 'x', resources: {} };

test.each<[string, Partial<Pod>, string]>([
  ['uid', { metadata: { uid: '../../../etc' } }, 'uid "../../../etc"'],
  ['missing uid', { metadata: { uid: '' } }, 'uid ""'],
  ['uid that names the directory of all pods', { metadata: { uid: '.' } }, 'uid "."'],
  ['name', { metadata: { name: '../a' } }, 'name "../a"'],
  ['name that is too long for a file', { metadata: { name: 'é'.repeat(128) } }, `name "${'é'.repeat(128)}"`],
  ['namespace', { metadata: { namespace: '/etc' } }, 'namespace "/etc"'],
  ['container', spec({ containers: [{ ...container, name: '../../x' }] }), 'container name "../../x"'],
  ['init container', spec({ initContainers: [{ ...container, name: '..' }] }), 'container name ".."'],
  ['ephemeral container', spec({ ephemeralContainers: [{ ...container, name: 'a/b' }] }), 'container name "a/b"'],
  ['volume', spec({ volumes: [{ name: '../v', emptyDir: {} }] }), 'volume name "../v"'],
  ['volume with a NUL byte', spec({ volumes: [{ name: 'a\0', emptyDir: {} }] }), String.raw`"a\x00"`],
])('ignores a pod whose path would lead out of its directories because of its %s', (_, more, why) => {
  const told: string[] = [];
  const events: string[] = [];
  const podConfig = new PodConfig({
    clock: new ManualClock(0),
    recorder: { event: (_subject, _type, reason, message) => void events.push(`${reason} ${message}`) },
    deliver: ({ op, pods }) => void told.push(`${op} ${pods.map(({ metadata }) => metadata.name).join()}`),
  });
  podConfig.set('api', [aPod('good'), aPod('a', more)]);
  expect(told).toEqual(['ADD good']);
  expect(events).toEqual([expect.stringMatching(/^FailedValidation Error validating pod .* from api due to unsafe /)]);
  expect(events[0]).toContain(why);
});

test('compares only the changed one of ten thousand pods', () => {
  const told: string[] = [];
  const podConfig = new PodConfig({
    clock: new ManualClock(0),
    recorder: { event: () => undefined },
    deliver: ({ op, pods }) => void told.push(`${op} ${pods.length}`),
  });
  let reads = 0;
  const counted = (pod: Pod): Pod => ({
    ...pod,
    get spec() {
      reads += 1;
      return pod.spec;
    },
  });
  const pods = Array.from({ length: 10_000 }, (_, i) => counted(aPod(`p${i}`)));
  podConfig.set('api', pods);
  const first = reads;
  reads = 0;
  for (const [i, pod] of pods.slice(0, 3).entries())
    podConfig.set('api', pods.with(i, { ...pod, status: { phase: 'Running' } }));
  expect(told).toEqual(['ADD 10000', 'RECONCILE 1', 'RECONCILE 2', 'RECONCILE 2']);
  expect(first).toBeLessThanOrEqual(40_000);
  expect(reads).toBeLessThanOrEqual(100);
});
