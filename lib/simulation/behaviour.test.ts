import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aPod, JOB } from './a-pod.ts';
import { type Behaviour, behaviourOf, endsByItself } from './behaviour.ts';

const never = { restartPolicy: 'Never' };
const hook = { annotations: { 'helm.sh/hook': 'test' } };

const READ: readonly [string, string, Partial<Behaviour>][] = [
  ['start-delay', '1m30s', { startDelay: 90_000 }],
  ['waiting-reason', 'ErrImagePull', { waitingReason: 'ErrImagePull' }],
  ['init-duration', '500ms', { initDuration: 500 }],
  ['init-exit-code', '4', { initExitCode: 4 }],
  ['ready-delay', 'never', { readyDelay: Infinity }],
  ['exit-after', '2h', { exitAfter: 7_200_000, exitCode: 0 }],
  ['exit-after', 'never', { exitAfter: Infinity }],
  ['exit-code', '255', { exitAfter: 0, exitCode: 255 }],
  ['fail-times', '2', { failTimes: 2 }],
  ['container', 'web', { container: 'web' }],
  ['stop-duration', '5s', { stopDuration: 5000 }],
  ['stop-exit-code', '0', { stopExitCode: 0 }],
];

describe('behaviour annotations of simulated pods', () => {
  test.each(READ)('are parsed for %s as %s', (name, value, expected) => {
    const { behaviour, faults } = behaviourOf(aPod({ behaves: { [name]: value } }));
    expect(behaviour).toMatchObject(expected);
    expect(faults).toEqual([]);
  });

  test('are those that docs/simulated-nodes.md lists', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/simulated-nodes.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `simulated\.davit\.dev\/([a-z-]+)`/gm)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(READ.map(([name]) => name)));
  });

  test.each([
    ['start-delay', 'soon'],
    ['start-delay', '-1s'],
    ['start-delay', 'never'],
    ['exit-code', '256'],
    ['exit-code', '-1'],
    ['fail-times', '1e3'],
    ['waiting-reason', 'Err ImagePull'],
    ['container', ''],
  ])('are ignored and reported for %s: %j', (name, value) => {
    const { behaviour, faults } = behaviourOf(aPod({ behaves: { [name]: value } }));
    expect(behaviour).toEqual(behaviourOf(aPod()).behaviour);
    expect(faults).toEqual([`simulated.davit.dev/${name}: ${JSON.stringify(value)} cannot be read`]);
  });
});

test.each([
  ['of a job', aPod({ metadata: JOB, spec: never }), true],
  ['of a helm hook', aPod({ metadata: hook, spec: never }), true],
  ['of a helm hook that is restarted always', aPod({ metadata: hook }), false],
  ['without an owner', aPod({ spec: never }), false],
  ['of another owner', aPod({ metadata: { ownerReferences: [{ kind: 'ReplicaSet', controller: true }] } }), false],
])('decide whether a pod %s ends by itself', (_, pod, expected) => expect(endsByItself(pod)).toBe(expected));
