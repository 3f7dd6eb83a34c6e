import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Job, PodFailurePolicyRule, SuccessPolicyRule } from '#lib/api/types/batch.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { JOBS, PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { NO_BACKOFF } from './backoff.ts';
import { newPod } from './create.ts';
import { decide, type Work } from './decide.ts';
import { verdictOn } from './failure-policy.ts';
import { plus } from './indexes.ts';
import { metRule } from './success-policy.ts';
import { viewOf } from './view.ts';

const NOW = Date.parse('2026-05-05T10:00:00Z');
const INDEX = 'batch.kubernetes.io/job-completion-index';

const aJob = (spec: JsonObject, status: JsonObject = {}): Job =>
  decodedAs(JOBS, {
    metadata: { name: 'work', namespace: 'here', uid: 'j' },
    spec: { parallelism: 2, completions: 4, backoffLimit: 6, podReplacementPolicy: 'TerminatingOrFailed', ...spec },
    status,
  });

interface JobCase {
  readonly phase?: string;
  readonly index?: number;
  readonly annotations?: JsonObject;
  readonly deleted?: boolean;
  readonly ended?: string;
}

const aPod = (name: string, { phase = 'Running', index, annotations = {}, deleted, ended }: JobCase = {}): Pod =>
  decodedAs(PODS, {
    metadata: {
      name,
      namespace: 'here',
      uid: name,
      finalizers: ['batch.kubernetes.io/job-tracking'],
      annotations: { ...annotations, ...(index === undefined ? {} : { [INDEX]: `${index}` }) },
      ...(deleted === true ? { deletionTimestamp: '2026-05-05T10:00:00Z' } : {}),
    },
    status: {
      phase,
      ...(ended === undefined
        ? {}
        : { containerStatuses: [{ name: 'c', state: { terminated: { finishedAt: ended, exitCode: 1 } } }] }),
    },
  });

/** Returns the work in a short form for comparison. */
function shown(work: Work): unknown {
  if (work.do === 'create') return work.indexes;
  if (work.do === 'delete') return work.pods.map(nameOf);
  return work.do === 'wait' ? work.milliseconds : work.do;
}

const INDEXED = { completionMode: 'Indexed' };
const PER_INDEX = { ...INDEXED, backoffLimitPerIndex: 3 };
const FAILED = { phase: 'Failed', ended: '2026-05-05T09:59:55Z' };

describe('decisions about a Job', () => {
  test.each<[string, JsonObject, Pod[], unknown]>([
    ['creates as many pods as its parallelism allows', {}, [], [undefined, undefined]],
    [
      'creates no more pods than remaining completions',
      { parallelism: 9 },
      [aPod('a')],
      [undefined, undefined, undefined],
    ],
    ['with enough pods creates none', {}, [aPod('a'), aPod('b')], 'nothing'],
    ['with too many pods deletes the surplus', { parallelism: 1 }, [aPod('a'), aPod('b', { phase: 'Pending' })], ['b']],
    ['deletes its pods while suspended', { suspend: true }, [aPod('a')], ['a']],
    [
      'without completions creates no pod after a success',
      { completions: null },
      [aPod('a', { phase: 'Succeeded' }), aPod('b')],
      'nothing',
    ],
    ['replaces terminating pods', {}, [aPod('a', { deleted: true }), aPod('b')], [undefined]],
    [
      'waits for terminating pods if its replacement policy requires it',
      { podReplacementPolicy: 'Failed' },
      [aPod('a', { deleted: true }), aPod('b')],
      'nothing',
    ],
    ['creates pods for indexes without a pod', INDEXED, [aPod('b', { index: 0 })], [1]],
    ['starts with the lowest index', { ...INDEXED, parallelism: 3 }, [aPod('b', { index: 1 })], [0, 2]],
    ['deletes a duplicate pod of an index', INDEXED, [aPod('a', { index: 1 }), aPod('b', { index: 1 })], ['a']],
    ['deletes a pod whose index is out of range', INDEXED, [aPod('a', { index: 4 }), aPod('b', { index: 1 })], ['a']],
    ['deletes a pod without an index', INDEXED, [aPod('a'), aPod('b', { index: 1 })], ['a']],
    ['skips an index in backoff', PER_INDEX, [aPod('a', { ...FAILED, index: 0 })], [1]],
    [
      'waits if all indexes are in backoff',
      { ...PER_INDEX, completions: 1 },
      [aPod('a', { ...FAILED, index: 0, annotations: { 'batch.kubernetes.io/job-index-failure-count': '1' } })],
      15_000,
    ],
  ])('a Job %s', (_, spec, pods, expected) => {
    expect(shown(decide(viewOf(aJob(spec), pods, NOW), NO_BACKOFF))).toEqual(expected);
  });

  test('doubles the wait with every failure, up to ten minutes', () => {
    const waits = [1, 2, 7, 40].map((failures) => decide(viewOf(aJob({}), [], NOW), { failures, last: NOW }));
    expect(waits.map(shown)).toEqual([10_000, 20_000, 600_000, 600_000]);
  });
});

test('keeps the indexes in its status that are in range', () => {
  const status = { completedIndexes: '0,2-5', failedIndexes: '1' };
  const view = viewOf(aJob(PER_INDEX, status), [aPod('a', { phase: 'Succeeded', index: 3 })], NOW);
  expect(view).toMatchObject({
    completed: [
      { first: 0, last: 0 },
      { first: 2, last: 3 },
    ],
    succeeded: 3,
  });
});

test('shortens a long name to leave room for the index', () => {
  const job = aJob(INDEXED);
  const view = viewOf({ ...job, metadata: { ...job.metadata, name: 'n'.repeat(63) } }, [], NOW);
  const reference = { apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid: 'j' };
  const { generateName: name } = newPod(view, reference, 12).metadata;
  expect(name).toBe(`${'n'.repeat(54)}-12-`);
});

describe('the failure policy of a Job', () => {
  const pod = decodedAs(PODS, {
    metadata: { name: 'p', namespace: 'here' },
    status: {
      conditions: [{ type: 'DisruptionTarget', status: 'True' }],
      containerStatuses: [
        { name: 'fine', state: { terminated: { exitCode: 0 } } },
        { name: 'runs', state: { running: {} } },
        { name: 'bad', state: { terminated: { exitCode: 3 } } },
      ],
    },
  });
  const onExit = (operator: string, values: number[], more: { containerName?: string } = {}): PodFailurePolicyRule => ({
    action: 'Ignore',
    onExitCodes: { operator, values, ...more },
  });
  test.each<[string, PodFailurePolicyRule, boolean]>([
    ['a listed exit code', onExit('In', [2, 3]), true],
    ['an unlisted exit code', onExit('In', [2]), false],
    ['an exit code with NotIn', onExit('NotIn', [2]), true],
    ['a listed exit code with NotIn', onExit('NotIn', [3]), false],
    ['the exit code of the named container', onExit('In', [3], { containerName: 'bad' }), true],
    ['the exit code of another container', onExit('In', [3], { containerName: 'fine' }), false],
    ['a pod condition', { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }, true],
    [
      'a pod condition with another status',
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'False' }] },
      false,
    ],
  ])('matches %s: %s', (_, rule, matches) => {
    expect(verdictOn(pod, [rule]).counts).toBe(!matches);
  });

  test('applies its first matching rule', () => {
    const rules = [onExit('In', [9]), { ...onExit('In', [3]), action: 'FailJob' }, onExit('In', [3])];
    const why = 'Container bad for pod here/p failed with exit code 3 matching FailJob rule at index 1';
    expect(verdictOn(pod, rules)).toEqual({ counts: true, failsIndex: false, failsJob: why });
  });
});

test.each<[string, SuccessPolicyRule[], number[], string | undefined]>([
  ['all of its indexes', [{ succeededIndexes: '1,3' }], [1, 2, 3], 'Matched rules at index 0'],
  ['not all of its indexes', [{ succeededIndexes: '1-3' }], [1, 3], undefined],
  ['enough of its indexes', [{ succeededIndexes: '1-3', succeededCount: 2 }], [1, 3], 'Matched rules at index 0'],
  ['enough indexes outside the rule', [{ succeededIndexes: '1-3', succeededCount: 2 }], [0, 3], undefined],
  [
    'enough indexes for a rule without indexes',
    [{ succeededIndexes: '9' }, { succeededCount: 2 }],
    [0, 3],
    'Matched rules at index 1',
  ],
  ["indexes outside the job's range", [{ succeededIndexes: '9' }], [0], undefined],
  ['no success and a count of zero', [{ succeededCount: 0 }], [], undefined],
])('computes whether a success policy is met with %s', (_, rules, succeeded, expected) => {
  expect(metRule(rules, 5, plus([], succeeded))).toBe(expected);
});
