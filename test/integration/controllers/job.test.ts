import { describe, expect, test } from 'vitest';
import { jobController } from '#lib/controllers/job/reconcile.ts';
import { orphanPods } from '#lib/controllers/job/orphans.ts';
import { arrayAt, isObject, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, controllerOf, finalizersOf, labelsOf, metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/controllers/crashes.ts';
import { exited, indexIn, jobPods, running, type PodRule } from '#test/controllers/job-pods.ts';
import { core, NAMESPACES, refOf } from '#test/controllers/refs.ts';
import { World, type Reconcilers } from '#test/controllers/world.ts';

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' };
const PODS = core('pods');
const WORK = refOf(JOBS, 'here', 'work');

/** What becomes of a pod, which may depend on how many there were before. */
type Rules = (world: World) => PodRule;

const all =
  (exitCode: number): Rules =>
  (world) =>
  () =>
    exited(world, exitCode);
const succeed = all(0);
const fail = all(1);
const run: Rules = () => () => running();
const wait: Rules = () => () => undefined;
/** By index: those that fail, and with what. */
const failing =
  (codes: Readonly<Record<number, number>>): Rules =>
  (world) =>
  (pod) =>
    exited(world, codes[indexIn(pod)] ?? 0);

const withPods =
  (rules: Rules = succeed): Reconcilers =>
  (client, clock, world) => [jobController(client, clock), orphanPods(client), jobPods(world, rules(world))];

async function aJob(world: World, { template = {}, ...spec }: JsonObject = {}): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'here' } });
  await world.user.create(core('serviceaccounts'), { metadata: { name: 'default', namespace: 'here' } });
  const pod = {
    restartPolicy: 'Never',
    containers: [{ name: 'c', image: 'i' }],
    ...(isObject(template) ? template : {}),
  };
  await world.user.create(JOBS, {
    metadata: { name: 'work', namespace: 'here' },
    spec: { template: { spec: pod }, ...spec },
  });
}

const jobOf = async (world: World): Promise<JsonObject> => (await world.user.get(WORK)) ?? {};
const statusOf = async (world: World): Promise<JsonObject> => objectAt(await jobOf(world), 'status') ?? {};
const pods = (world: World) => world.user.list(PODS, { namespace: 'here' });
const phases = async (world: World): Promise<unknown[]> =>
  (await pods(world)).map((pod) => objectAt(pod, 'status')?.['phase']).sort();
const change = (world: World, spec: JsonObject) => world.user.patch(WORK, { spec });

/** Conditions that hold, with their reasons. */
async function conditions(world: World): Promise<string[]> {
  const held = arrayAt(await statusOf(world), 'conditions').filter(isObject);
  return held.map((one) => `${one['status'] === 'True' ? '' : 'not '}${one['type']} ${one['reason']}`);
}

const messages = async (world: World): Promise<unknown[]> =>
  arrayAt(await statusOf(world), 'conditions').map((one) => (isObject(one) ? one['message'] : one));

const told = async (world: World): Promise<string[]> => {
  const events = await world.user.list(core('events'), { namespace: 'here' });
  return [...new Set(events.map((one) => stringAt(one, 'reason') ?? ''))].sort();
};

const COMPLETE = ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'];
const failedBy = (reason: string): string[] => [`FailureTarget ${reason}`, `Failed ${reason}`];
const INDEXED = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
const exitCodes = (action: string, values: number[]) => ({ action, onExitCodes: { operator: 'In', values } });

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
  ])('%s', async (_, spec, rules, expected, status) => {
    const world = new World();
    await aJob(world, spec);
    await world.run(withPods(rules));
    expect(await conditions(world)).toEqual(expected);
    const { active, terminating, ...found } = await statusOf(world);
    expect([active ?? 0, terminating]).toEqual([0, 0]);
    expect(found).toMatchObject(status);
    expect(found).not.toHaveProperty('uncountedTerminatedPods.failed');
    for (const pod of await pods(world)) expect(finalizersOf(pod)).toEqual([]);
    await expectSettled(world, withPods(rules));
    expect(world.faults).toEqual([]);
  });

  test('failures that a policy ignores count for nothing', async () => {
    const world = new World();
    let failures = 2;
    const rules: Rules = () => () => exited(world, failures-- > 0 ? 7 : 0);
    await aJob(world, { backoffLimit: 0, podFailurePolicy: { rules: [exitCodes('Ignore', [7])] } });
    await world.run(withPods(rules));
    expect(await conditions(world)).toEqual(COMPLETE);
    expect(await statusOf(world)).not.toHaveProperty('failed');
  });

  test('pods that are disrupted are ignored by their condition', async () => {
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

  test('restarts of containers count where they restart in their pods', async () => {
    const world = new World();
    const container = { name: 'c', image: 'i', imageID: 'i', ready: false, restartCount: 3, state: {} };
    await aJob(world, { backoffLimit: 3, template: { restartPolicy: 'OnFailure' } });
    await world.run(withPods(() => () => ({ phase: 'Running', containerStatuses: [container] })));
    expect(await conditions(world)).toEqual(failedBy('BackoffLimitExceeded'));
  });

  test('why is told', async () => {
    const world = new World();
    await aJob(world, { podFailurePolicy: { rules: [exitCodes('FailJob', [42])] } });
    await world.run(withPods(all(42)));
    const [pod = {}] = await pods(world);
    const why = `Container c for pod here/${nameOf(pod)} failed with exit code 42 matching FailJob rule at index 0`;
    expect(await messages(world)).toEqual([why, why]);
    expect(await told(world)).toEqual(['PodFailurePolicy', 'SuccessfulCreate']);
  });
});

describe('wherever the controller is killed', () => {
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
  ])(
    '%s',
    async (_, spec, rules, expected, status) => {
      const prepare = (world: World): Promise<void> => aJob(world, spec);
      const check = async (world: World): Promise<void> => {
        expect(await conditions(world)).toEqual(expected);
        expect(await statusOf(world)).toMatchObject(status);
        for (const pod of await pods(world)) expect(finalizersOf(pod)).toEqual([]);
      };
      expect(await surviveEveryCrash({ make: withPods(rules), prepare, check })).toBeGreaterThan(10);
    },
    180_000,
  );

  test('it is suspended and goes on', async () => {
    const prepare = async (world: World): Promise<void> => {
      await aJob(world, { completions: 2, parallelism: 2 });
      await world.run(withPods(run));
      await change(world, { suspend: true });
    };
    const check = async (world: World): Promise<void> => {
      expect(await pods(world)).toEqual([]);
      expect(await statusOf(world)).not.toHaveProperty('startTime');
      expect(await statusOf(world)).not.toHaveProperty('failed');
      expect(await conditions(world)).toEqual(['Suspended JobSuspended']);
    };
    expect(await surviveEveryCrash({ make: withPods(run), prepare, check })).toBeGreaterThan(5);
  }, 180_000);
});

describe('pods', () => {
  test('are as many at once as may be, and are counted while they run', async () => {
    const world = new World();
    await aJob(world, { completions: 5, parallelism: 3 });
    await world.run(withPods(run));
    expect(await statusOf(world)).toMatchObject({ active: 3, ready: 3, terminating: 0 });
    await change(world, { parallelism: 1 });
    await world.run(withPods(run));
    expect(await statusOf(world)).toMatchObject({ active: 1, ready: 1 });
    expect(await statusOf(world)).not.toHaveProperty('failed');
  });

  test('of an indexed job tell their index', async () => {
    const world = new World();
    const env = [{ name: 'JOB_COMPLETION_INDEX', value: 'mine' }];
    const containers = [
      { name: 'c', image: 'i' },
      { name: 'd', image: 'i', env },
    ];
    await aJob(world, { ...INDEXED, template: { containers } });
    await world.run(withPods(run));
    const second = (await pods(world)).find((pod) => indexIn(pod) === 1) ?? {};
    expect(nameOf(second)).toMatch(/^work-1-[a-z0-9]{5}$/);
    expect(labelsOf(second)['batch.kubernetes.io/job-completion-index']).toBe('1');
    expect(finalizersOf(second)).toEqual(['batch.kubernetes.io/job-tracking']);
    const spec = objectAt(second, 'spec');
    expect(spec).toMatchObject({ hostname: 'work-1' });
    const variables = arrayAt(spec, 'containers').map((one) => (isObject(one) ? one['env'] : one));
    const fieldPath = "metadata.labels['batch.kubernetes.io/job-completion-index']";
    expect(variables).toMatchObject([[{ name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath } } }], env]);
  });

  test('remember how often their index failed', async () => {
    const world = new World();
    await aJob(world, { ...INDEXED, completions: 1, parallelism: 1, backoffLimitPerIndex: 2 });
    await world.run(withPods(fail));
    const failures = (await pods(world)).map(
      (pod) => annotationsOf(pod)['batch.kubernetes.io/job-index-failure-count'],
    );
    expect(failures.sort()).toEqual(['0', '1', '2']);
  });

  test('that failed are replaced later and later', async () => {
    const world = new World();
    await aJob(world, {});
    const rules: Rules = () => () => exited(world, 1);
    await world.run(withPods(rules));
    const times = (await pods(world)).map((pod) => Date.parse(String(metadataOf(pod)['creationTimestamp'])) / 1000);
    const [first = 0, second = 0, third = 0, fourth = 0] = times.sort((a, b) => a - b);
    expect([second - first >= 10, third - second >= 20, fourth - third >= 40]).toEqual([true, true, true]);
  });

  test('that go are replaced at once, or where the policy says so when they are gone', async () => {
    for (const [podReplacementPolicy, number] of [
      ['TerminatingOrFailed', 2],
      ['Failed', 1],
    ] as const) {
      const world = new World();
      await aJob(world, { podReplacementPolicy, template: { nodeName: 'node' } });
      const noNodes: Reconcilers = (client, clock) => [jobController(client, clock)];
      await world.run(noNodes);
      const [pod = {}] = await pods(world);
      await world.user.delete(refOf(PODS, 'here', nameOf(pod)), { gracePeriodSeconds: 600 });
      await world.run(noNodes);
      expect(await pods(world)).toHaveLength(number);
      expect(await statusOf(world)).toMatchObject({
        terminating: 1,
        ...(number === 2 ? { active: 1, failed: 1 } : {}),
      });
    }
  });

  test('that nobody owns are adopted and held, and those that are not selected are let go', async () => {
    const world = new World();
    const selector = { manualSelector: true, selector: { matchLabels: { app: 'work' } } };
    const template = {
      metadata: { labels: { app: 'work' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
    };
    await aJob(world, {});
    await world.user.delete(WORK, { propagationPolicy: 'Background' });
    await world.user.create(JOBS, {
      metadata: { name: 'work', namespace: 'here' },
      spec: { ...selector, parallelism: 2, completions: 2, template },
    });
    await world.user.create(PODS, {
      ...template,
      metadata: { name: 'orphan', namespace: 'here', labels: { app: 'work' } },
    });
    await world.run(withPods(run));
    const orphan = (await world.user.get(refOf(PODS, 'here', 'orphan'))) ?? {};
    expect(controllerOf(orphan)).toMatchObject({ kind: 'Job', name: 'work' });
    expect(finalizersOf(orphan)).toEqual(['batch.kubernetes.io/job-tracking']);
    expect(await pods(world)).toHaveLength(2);

    await world.user.patch(refOf(PODS, 'here', 'orphan'), { metadata: { labels: { app: 'other' } } });
    await world.run(withPods(run));
    const released = (await world.user.get(refOf(PODS, 'here', 'orphan'))) ?? {};
    expect([controllerOf(released), finalizersOf(released)]).toEqual([undefined, []]);
    expect(await pods(world)).toHaveLength(3);
  });

  test('of a job that is deleted are no longer held', async () => {
    const world = new World();
    await aJob(world, { parallelism: 2, completions: 2 });
    await world.run(withPods(run));
    await world.user.delete(WORK, { propagationPolicy: 'Background' });
    await world.run(withPods(run));
    expect((await pods(world)).map(finalizersOf)).toEqual([[], []]);
  });

  test('of which one success was enough go on, and no other comes', async () => {
    const world = new World();
    await aJob(world, { completions: null, parallelism: 2 });
    let left = 1;
    await world.run(withPods(() => () => (left-- > 0 ? exited(world, 0) : running())));
    expect(await phases(world)).toEqual(['Running', 'Succeeded']);
    expect(await statusOf(world)).toMatchObject({ active: 1, succeeded: 1 });
    expect(await conditions(world)).toEqual([]);
  });
});

test('a job begins suspended, is resumed, and is suspended again', async () => {
  const world = new World();
  await aJob(world, { suspend: true, activeDeadlineSeconds: 500 });
  await world.run(withPods(wait));
  expect(await pods(world)).toEqual([]);
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

test('a job that someone else looks after is left alone', async () => {
  const world = new World();
  await aJob(world, { managedBy: 'example.com/other' });
  await world.run(withPods());
  expect([await pods(world), await statusOf(world)]).toEqual([[], {}]);
});

test('an indexed job grows and shrinks', async () => {
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

test('a job of many pods has few turns', async () => {
  const world = new World();
  await aJob(world, { completions: 60, parallelism: 60 });
  const before = Number(metadataOf(await jobOf(world))['resourceVersion']);
  await world.run(withPods());
  expect(await conditions(world)).toEqual(COMPLETE);
  expect(await statusOf(world)).toMatchObject({ succeeded: 60 });
  expect(Number(metadataOf(await jobOf(world))['resourceVersion']) - before).toBeLessThan(6);
  await expectSettled(world, withPods());
});
