import { describe, expect, test } from 'vitest';
import { jobController } from '#lib/controllers/job/reconcile.ts';
import { arrayAt, isObject, objectAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, controllerOf, finalizersOf, labelsOf, metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { expectSettled } from '#test/support/controllers/crashes.ts';
import { podsHere } from '#test/support/controllers/here.ts';
import { exited, indexIn, running } from '#test/support/controllers/job-pods.ts';
import {
  aJob,
  COMPLETE,
  change,
  conditions,
  fail,
  INDEXED,
  JOBS,
  jobOf,
  type Rules,
  run,
  statusOf,
  WORK,
  withPods,
} from '#test/support/controllers/jobs.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const PODS = core('pods');
const phases = async (world: World): Promise<unknown[]> =>
  (await podsHere(world)).map((pod) => objectAt(pod, 'status')?.['phase']).sort();

describe('pods of a job', () => {
  test('run concurrently up to the parallelism, and are counted while they run', async () => {
    const world = new World();
    await aJob(world, { completions: 5, parallelism: 3 });
    await world.run(withPods(run));
    expect(await statusOf(world)).toMatchObject({ active: 3, ready: 3, terminating: 0 });
    await change(world, { parallelism: 1 });
    await world.run(withPods(run));
    expect(await statusOf(world)).toMatchObject({ active: 1, ready: 1 });
    expect(await statusOf(world)).not.toHaveProperty('failed');
  });

  test('have their index if the job is indexed', async () => {
    const world = new World();
    const env = [{ name: 'JOB_COMPLETION_INDEX', value: 'mine' }];
    const containers = [
      { name: 'c', image: 'i' },
      { name: 'd', image: 'i', env },
    ];
    await aJob(world, { ...INDEXED, template: { containers } });
    await world.run(withPods(run));
    const second = (await podsHere(world)).find((pod) => indexIn(pod) === 1) ?? {};
    expect(nameOf(second)).toMatch(/^work-1-[a-z0-9]{5}$/);
    expect(labelsOf(second)['batch.kubernetes.io/job-completion-index']).toBe('1');
    expect(finalizersOf(second)).toEqual(['batch.kubernetes.io/job-tracking']);
    const spec = objectAt(second, 'spec');
    expect(spec).toMatchObject({ hostname: 'work-1' });
    const variables = arrayAt(spec, 'containers').map((one) => (isObject(one) ? one['env'] : one));
    const fieldPath = "metadata.labels['batch.kubernetes.io/job-completion-index']";
    expect(variables).toMatchObject([[{ name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath } } }], env]);
  });

  test('record how often their index failed', async () => {
    const world = new World();
    await aJob(world, { ...INDEXED, completions: 1, parallelism: 1, backoffLimitPerIndex: 2 });
    await world.run(withPods(fail));
    const failures = (await podsHere(world)).map(
      (pod) => annotationsOf(pod)['batch.kubernetes.io/job-index-failure-count'],
    );
    expect(failures.sort()).toEqual(['0', '1', '2']);
  });

  test('that failed are replaced with backoff', async () => {
    const world = new World();
    await aJob(world, {});
    const rules: Rules = () => () => exited(world, 1);
    await world.run(withPods(rules));
    const times = (await podsHere(world)).map((pod) => Date.parse(String(metadataOf(pod)['creationTimestamp'])) / 1000);
    const [first = 0, second = 0, third = 0, fourth = 0] = times.sort((a, b) => a - b);
    expect([second - first >= 10, third - second >= 20, fourth - third >= 40]).toEqual([true, true, true]);
  });

  test('are replaced while they terminate, or afterwards if the policy requires it', async () => {
    for (const [podReplacementPolicy, number] of [
      ['TerminatingOrFailed', 2],
      ['Failed', 1],
    ] as const) {
      const world = new World();
      await aJob(world, { podReplacementPolicy, template: { nodeName: 'node' } });
      const noNodes: Reconcilers = (client, clock) => [jobController(client, clock)];
      await world.run(noNodes);
      const [pod = {}] = await podsHere(world);
      await world.user.delete(refOf(PODS, 'here', nameOf(pod)), { gracePeriodSeconds: 600 });
      await world.run(noNodes);
      expect(await podsHere(world)).toHaveLength(number);
      expect(await statusOf(world)).toMatchObject({
        terminating: 1,
        ...(number === 2 ? { active: 1, failed: 1 } : {}),
      });
    }
  });

  test('are adopted if they have no owner, and released if they are not selected', async () => {
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
    expect(await podsHere(world)).toHaveLength(2);

    await world.user.patch(refOf(PODS, 'here', 'orphan'), { metadata: { labels: { app: 'other' } } });
    await world.run(withPods(run));
    const released = (await world.user.get(refOf(PODS, 'here', 'orphan'))) ?? {};
    expect([controllerOf(released), finalizersOf(released)]).toEqual([undefined, []]);
    expect(await podsHere(world)).toHaveLength(3);
  });

  test('lose their finalizer when their job is deleted', async () => {
    const world = new World();
    await aJob(world, { parallelism: 2, completions: 2 });
    await world.run(withPods(run));
    await world.user.delete(WORK, { propagationPolicy: 'Background' });
    await world.run(withPods(run));
    expect((await podsHere(world)).map(finalizersOf)).toEqual([[], []]);
  });

  test('continue after the job has succeeded, and no new pod is created', async () => {
    const world = new World();
    await aJob(world, { completions: null, parallelism: 2 });
    let left = 1;
    await world.run(withPods(() => () => (left-- > 0 ? exited(world, 0) : running())));
    expect(await phases(world)).toEqual(['Running', 'Succeeded']);
    expect(await statusOf(world)).toMatchObject({ active: 1, succeeded: 1 });
    expect(await conditions(world)).toEqual([]);
  });
});

test('reconciles a job of many pods only a few times', async () => {
  const world = new World();
  await aJob(world, { completions: 60, parallelism: 60 });
  const before = Number(metadataOf(await jobOf(world))['resourceVersion']);
  await world.run(withPods());
  expect(await conditions(world)).toEqual(COMPLETE);
  expect(await statusOf(world)).toMatchObject({ succeeded: 60 });
  expect(Number(metadataOf(await jobOf(world))['resourceVersion']) - before).toBeLessThan(6);
  await expectSettled(world, withPods());
});
