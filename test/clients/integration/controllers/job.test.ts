import { describe, expect, test } from 'vitest';
import { jobController } from '#lib/controllers/job/reconcile.ts';
import { arrayAt, isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf, nameOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { podsHere } from '#test/support/controllers/here.ts';
import { exited, indexIn, running } from '#test/support/controllers/job-pods.ts';
import {
  aJob,
  all,
  COMPLETE,
  change,
  conditions,
  fail,
  failedBy,
  failing,
  INDEXED,
  type Rules,
  run,
  statusOf,
  succeed,
  told,
  withPods,
} from '#test/support/controllers/jobs.ts';
import { World } from '#test/support/controllers/world.ts';

const wait: Rules = () => () => undefined;
const exitCodes = (action: string, values: number[]) => ({ action, onExitCodes: { operator: 'In', values } });

const messages = async (world: World): Promise<unknown[]> =>
  arrayAt(await statusOf(world), 'conditions').map((one) => (isObject(one) ? one['message'] : one));

describe('how a job ends', () => {
  test.each<[string, JsonObject, Rules, string[], JsonObject]>([
    ['all succeed', { completions: 3, parallelism: 2 }, succeed, COMPLETE, { succeeded: 3 }],
    ['one success is enough', { completions: null, parallelism: 2 }, succeed, COMPLETE, { succeeded: 2 }],
    ['nothing is to do', { completions: 0 }, succeed, COMPLETE, {}],
    ['all fail', { backoffLimit: 2 }, fail, failedBy('BackoffLimitExceeded'), { failed: 3 }],
    ['the first failure is one too many', { backoffLimit: 0 }, fail, failedBy('BackoffLimitExceeded'), { failed: 1 }],
    ['it takes too long', { activeDeadlineSeconds: 30 }, run, failedBy('DeadlineExceeded'), { failed: 1 }],
    ['all indexes succeed', INDEXED, succeed, COMPLETE, { succeeded: 3, completedIndexes: '0-2' }],
    [
      'an index fails for good, the others go on',
      { ...INDEXED, backoffLimitPerIndex: 1 },
      failing({ 1: 1 }),
      failedBy('FailedIndexes'),
      { succeeded: 2, completedIndexes: '0,2', failedIndexes: '1', failed: 2 },
    ],
    [
      'too many indexes fail',
      { ...INDEXED, parallelism: 1, backoffLimitPerIndex: 0, maxFailedIndexes: 0 },
      failing({ 0: 1 }),
      failedBy('MaxFailedIndexesExceeded'),
      { failedIndexes: '0', failed: 1 },
    ],
    [
      'a policy fails the job',
      { podFailurePolicy: { rules: [exitCodes('FailJob', [42])] } },
      all(42),
      failedBy('PodFailurePolicy'),
      { failed: 1 },
    ],
    [
      'a policy fails an index at once',
      { ...INDEXED, backoffLimitPerIndex: 3, podFailurePolicy: { rules: [exitCodes('FailIndex', [42])] } },
      failing({ 2: 42 }),
      failedBy('FailedIndexes'),
      { succeeded: 2, completedIndexes: '0,1', failedIndexes: '2', failed: 1 },
    ],
    [
      'a policy counts',
      { backoffLimit: 0, podFailurePolicy: { rules: [exitCodes('Count', [1])] } },
      fail,
      failedBy('BackoffLimitExceeded'),
      { failed: 1 },
    ],
    [
      'a success policy is met',
      {
        ...INDEXED,
        successPolicy: { rules: [{ succeededIndexes: '1' }] },
      },
      (world) => (pod) => (indexIn(pod) === 1 ? exited(world, 0) : running()),
      ['SuccessCriteriaMet SuccessPolicy', 'Complete SuccessPolicy'],
      { succeeded: 1, completedIndexes: '1' },
    ],
  ])('ends as expected if %s', async (_, spec, rules, expected, status) => {
    const world = new World();
    await aJob(world, spec);
    await world.run(withPods(rules));
    expect(await conditions(world)).toEqual(expected);
    const { active, terminating, ...found } = await statusOf(world);
    expect([active ?? 0, terminating]).toEqual([0, 0]);
    expect(found).toMatchObject(status);
    expect(found).not.toHaveProperty('uncountedTerminatedPods.failed');
    for (const pod of await podsHere(world)) expect(finalizersOf(pod)).toEqual([]);
    await expectSettled(world, withPods(rules));
    expect(world.faults).toEqual([]);
  });

  test('ignores failures that a policy ignores', async () => {
    const world = new World();
    let failures = 2;
    const rules: Rules = () => () => exited(world, failures-- > 0 ? 7 : 0);
    await aJob(world, { backoffLimit: 0, podFailurePolicy: { rules: [exitCodes('Ignore', [7])] } });
    await world.run(withPods(rules));
    expect(await conditions(world)).toEqual(COMPLETE);
    expect(await statusOf(world)).not.toHaveProperty('failed');
  });

  test('ignores disrupted pods if a policy matches their condition', async () => {
    const world = new World();
    const disrupted = { phase: 'Failed', conditions: [{ type: 'DisruptionTarget', status: 'True' }] };
    let failures = 1;
    await aJob(world, {
      backoffLimit: 0,
      podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
    });
    await world.run(withPods(() => () => (failures-- > 0 ? disrupted : exited(world, 0))));
    expect(await conditions(world)).toEqual(COMPLETE);
  });

  test('counts restarts of containers within their pods', async () => {
    const world = new World();
    const container = { name: 'c', image: 'i', imageID: 'i', ready: false, restartCount: 3, state: {} };
    await aJob(world, { backoffLimit: 3, template: { restartPolicy: 'OnFailure' } });
    await world.run(withPods(() => () => ({ phase: 'Running', containerStatuses: [container] })));
    expect(await conditions(world)).toEqual(failedBy('BackoffLimitExceeded'));
  });

  test('reports the reason', async () => {
    const world = new World();
    await aJob(world, { podFailurePolicy: { rules: [exitCodes('FailJob', [42])] } });
    await world.run(withPods(all(42)));
    const [pod = {}] = await podsHere(world);
    const why = `Container c for pod here/${nameOf(pod)} failed with exit code 42 matching FailJob rule at index 0`;
    expect(await messages(world)).toEqual([why, why]);
    expect(await told(world)).toEqual(['PodFailurePolicy', 'SuccessfulCreate']);
  });
});

describe('no matter when the controller is killed', () => {
  test.each<[string, JsonObject, Rules, string[], JsonObject]>([
    ['successes are counted once', { completions: 2, parallelism: 2 }, succeed, COMPLETE, { succeeded: 2 }],
    ['failures are counted once', { backoffLimit: 1 }, fail, failedBy('BackoffLimitExceeded'), { failed: 2 }],
    [
      'indexes are counted once',
      { ...INDEXED, completions: 2, backoffLimitPerIndex: 1 },
      failing({ 1: 1 }),
      failedBy('FailedIndexes'),
      { succeeded: 1, failed: 2, completedIndexes: '0', failedIndexes: '1' },
    ],
    ['a deadline ends it', { activeDeadlineSeconds: 30 }, run, failedBy('DeadlineExceeded'), { failed: 1 }],
  ])('the result is the same: %s', async (_, spec, rules, expected, status) => {
    const prepare = (world: World): Promise<void> => aJob(world, spec);
    const check = async (world: World): Promise<void> => {
      expect(await conditions(world)).toEqual(expected);
      expect(await statusOf(world)).toMatchObject(status);
      for (const pod of await podsHere(world)) expect(finalizersOf(pod)).toEqual([]);
    };
    expect(await surviveEveryCrash({ make: withPods(rules), prepare, check })).toBeGreaterThan(7);
  });

  test('a job is suspended and resumes', async () => {
    const prepare = async (world: World): Promise<void> => {
      await aJob(world, { completions: 2, parallelism: 2 });
      await world.run(withPods(run));
      await change(world, { suspend: true });
    };
    const check = async (world: World): Promise<void> => {
      expect(await podsHere(world)).toEqual([]);
      expect(await statusOf(world)).not.toHaveProperty('startTime');
      expect(await statusOf(world)).not.toHaveProperty('failed');
      expect(await conditions(world)).toEqual(['Suspended JobSuspended']);
    };
    expect(await surviveEveryCrash({ make: withPods(run), prepare, check })).toBeGreaterThan(3);
  });
});

test('resumes a job that was created suspended, and suspends it again', async () => {
  const world = new World();
  await aJob(world, { suspend: true, activeDeadlineSeconds: 500 });
  await world.run(withPods(wait));
  expect(await podsHere(world)).toEqual([]);
  expect(await statusOf(world)).not.toHaveProperty('startTime');
  world.clock.advance(1_000_000);
  await change(world, { suspend: false });
  await world.run((client, clock) => [jobController(client, clock)]);
  const { startTime } = await statusOf(world);
  expect(Date.parse(String(startTime))).toBeGreaterThanOrEqual(1_700_001_000_000);
  await change(world, { suspend: true });
  await world.run(withPods(wait));
  expect(await statusOf(world)).not.toHaveProperty('startTime');
  expect(await conditions(world)).toEqual(['Suspended JobSuspended']);
  expect(await told(world)).toEqual(expect.arrayContaining(['Resumed', 'SuccessfulCreate', 'Suspended']));
});

test('completes a job although the clock is set back to before its start', async () => {
  const world = new World();
  await aJob(world, { completions: 2, parallelism: 2 });
  await world.run(withPods(run));
  world.clock.jump(-86_400_000);
  await world.run(withPods());
  expect(await conditions(world)).toEqual(COMPLETE);
  const { startTime, completionTime } = await statusOf(world);
  expect([completionTime, world.faults]).toEqual([startTime, []]);
});

test('does not touch a job that another controller manages', async () => {
  const world = new World();
  await aJob(world, { managedBy: 'example.com/other' });
  await world.run(withPods());
  expect([await podsHere(world), await statusOf(world)]).toEqual([[], {}]);
});

test('scales an indexed job up and down', async () => {
  const world = new World();
  await aJob(world, { ...INDEXED });
  const rules: Rules = () => (pod) => (indexIn(pod) === 2 ? exited(world, 0) : running());
  await world.run(withPods(rules));
  expect(await statusOf(world)).toMatchObject({ active: 2, completedIndexes: '2', succeeded: 1 });
  await change(world, { completions: 4, parallelism: 4 });
  await world.run(withPods(rules));
  expect(await statusOf(world)).toMatchObject({ active: 3, completedIndexes: '2' });
  await change(world, { completions: 2, parallelism: 2 });
  await world.run(withPods(rules));
  expect(await statusOf(world)).toMatchObject({ active: 2 });
  expect(await statusOf(world)).not.toHaveProperty('completedIndexes');
});
