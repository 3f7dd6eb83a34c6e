import { describe, expect, test } from 'vitest';
import { cronJobController } from '#lib/controllers/cronjob/reconcile.ts';
import { garbageCollector } from '#lib/controllers/garbage-collector/reconcile.ts';
import { orphanPods } from '#lib/controllers/job/orphans.ts';
import { jobController } from '#lib/controllers/job/reconcile.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, controllerOf, isDeleting, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { exited, jobPods } from '#test/support/controllers/job-pods.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const CRON_JOBS = { group: 'batch', version: 'v1', resource: 'cronjobs' };
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' };
const OFTEN = refOf(CRON_JOBS, 'here', 'often');
const MINUTE = 60_000;
/** The clock starts at 22:13:20. This is the first full minute after that, in the form used in the names of jobs. */
const FIRST = 28_333_334;

const make: Reconcilers = (client, clock) => [cronJobController(client, clock)];

/** Runs once a year unless the spec says otherwise, so that a test controls when it is due. */
async function aCronJob(world: World, spec: JsonObject = {}): Promise<void> {
  await aNamespace(world);
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const metadata = { labels: { app: 'often' }, annotations: { by: 'me' } };
  const jobTemplate = { metadata, spec: { template } };
  await world.user.create(CRON_JOBS, {
    metadata: { name: 'often', namespace: 'here' },
    spec: { schedule: '14 22 14 11 *', jobTemplate, ...spec },
  });
}

const jobs = (world: World) => world.user.list(JOBS, { namespace: 'here' });
const names = async (world: World): Promise<string[]> => (await jobs(world)).map(nameOf);
const statusOf = async (world: World) => objectAt((await world.user.get(OFTEN)) ?? {}, 'status');
const active = async (world: World): Promise<unknown[]> =>
  arrayAt(await statusOf(world), 'active').map((one) => (isObject(one) ? one['name'] : one));
const told = async (world: World): Promise<string[]> =>
  (await world.user.list(core('events'), { namespace: 'here' })).map((one) => stringAt(one, 'reason') ?? '').sort();

/** Completes a job as its controller would. */
async function finish(world: World, name: string, type: 'Complete' | 'Failed' = 'Complete'): Promise<void> {
  const time = new Date(world.clock.now()).toISOString().replace(/\.\d+/, '');
  const interim = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const conditions = [interim, type].map((one) => ({ type: one, status: 'True', lastTransitionTime: time }));
  const completion = type === 'Complete' ? { completionTime: time } : {};
  const status = { startTime: time, ...completion, conditions };
  await world.user.patch(refOf(JOBS, 'here', name), { status }, 'status');
}

async function pass(world: World, minutes: number): Promise<void> {
  world.clock.advance(minutes * MINUTE);
  await world.run(make);
}

test('starts a job once at its scheduled time and observes its end', async () => {
  const world = new World();
  await aCronJob(world);
  await world.run((client, clock) => make(client, clock, world));
  const name = `often-${FIRST}`;
  expect(await names(world)).toEqual([name]);
  const [job = {}] = await jobs(world);
  expect(controllerOf(job)).toMatchObject({ kind: 'CronJob', name: 'often' });
  expect(labelsOf(job)).toMatchObject({ app: 'often' });
  expect({ ...annotationsOf(job) }).toEqual({
    by: 'me',
    'batch.kubernetes.io/cronjob-scheduled-timestamp': '2023-11-14T22:14:00Z',
  });
  expect(await statusOf(world)).toMatchObject({ active: [{ name }], lastScheduleTime: '2023-11-14T22:14:00Z' });
  await expectSettled(world, make);

  await finish(world, name);
  await world.run(make);
  expect(await active(world)).toEqual([]);
  expect(await statusOf(world)).toHaveProperty('lastSuccessfulTime');
  expect(await told(world)).toEqual(['SawCompletedJob', 'SuccessfulCreate']);
  await expectSettled(world, make);
  expect(world.faults).toEqual([]);
});

describe('no matter when the controller is killed', () => {
  test('starts a job only once, even if it ends immediately and is deleted', async () => {
    const prepare = async (world: World): Promise<void> => {
      await aCronJob(world, { successfulJobsHistoryLimit: 0 });
      world.clock.advance(MINUTE);
    };
    const started = new Map<World, string[]>();
    const ender: Reconcilers = (client, clock, world) => [
      ...make(client, clock, world),
      {
        name: 'ender',
        keys: ({ type, resource, namespace, name }) =>
          resource === 'jobs' && type === 'ADDED' ? [`${namespace}/${name}`] : [],
        async reconcile(key) {
          const name = key.slice('here/'.length);
          const job = await world.user.get(refOf(JOBS, 'here', name));
          const ended = job === undefined || isDeleting(job) || objectAt(job, 'status')?.['startTime'] !== undefined;
          if (ended) return undefined;
          started.set(world, [...(started.get(world) ?? []), name]);
          await finish(world, name);
          return undefined;
        },
      },
    ];
    const check = async (world: World): Promise<void> => {
      expect(started.get(world)).toEqual([`often-${FIRST}`]);
      expect(await names(world)).toEqual([]);
      expect(await active(world)).toEqual([]);
      expect(await statusOf(world)).toMatchObject({ lastScheduleTime: '2023-11-14T22:14:00Z' });
    };
    expect(await surviveEveryCrash({ make: ender, prepare, check })).toBeGreaterThan(5);
  });

  test('replaces a running job', async () => {
    const prepare = async (world: World): Promise<void> => {
      await aCronJob(world, { schedule: '14,30 22 14 11 *', concurrencyPolicy: 'Replace' });
      await world.run(make);
      world.clock.advance(16 * MINUTE);
    };
    const check = async (world: World): Promise<void> => {
      expect(await names(world)).toEqual([`often-${FIRST + 16}`]);
      expect(await active(world)).toEqual([`often-${FIRST + 16}`]);
    };
    expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(5);
  });
});

describe('a second run while another is running', () => {
  test.each([
    ['Allow', [`often-${FIRST}`, `often-${FIRST + 16}`], []],
    ['Forbid', [`often-${FIRST}`], ['JobAlreadyActive']],
    ['Replace', [`often-${FIRST + 16}`], ['SuccessfulDelete']],
  ])('follows the concurrency policy %s', async (concurrencyPolicy, expected, events) => {
    const world = new World();
    await aCronJob(world, { schedule: '14,30 22 14 11 *', concurrencyPolicy });
    await world.run(make);
    await pass(world, 16);
    expect(await names(world)).toEqual(expected);
    expect(await active(world)).toEqual(expected);
    expect(await told(world)).toEqual(expect.arrayContaining(events));
  });

  test('starts a forbidden run after the previous one ends', async () => {
    const world = new World();
    await aCronJob(world, { schedule: '14,30 22 14 11 *', concurrencyPolicy: 'Forbid' });
    await world.run(make);
    await pass(world, 16);
    await finish(world, `often-${FIRST}`, 'Failed');
    await world.run(make);
    expect(await active(world)).toEqual([`often-${FIRST + 16}`]);
  });
});

describe('a cron job starts no job', () => {
  test.each<[string, JsonObject, string[]]>([
    ['while it is suspended', { suspend: true }, []],
    ['of a day that never comes', { schedule: '0 0 31 2 *' }, ['InvalidSchedule']],
    ['too late', { startingDeadlineSeconds: 30 }, []],
  ])('in this case: %s', async (_, spec, events) => {
    const world = new World();
    await aCronJob(world, spec);
    await pass(world, 10);
    expect(await names(world)).toEqual([]);
    expect(await told(world)).toEqual(events);
  });
});

test('runs the last missed time only once, and reports many missed ones', async () => {
  const world = new World();
  await aCronJob(world, { schedule: '*/2 * * * *', suspend: true });
  await world.user.patch(OFTEN, { spec: { suspend: false } });
  world.clock.advance(300 * MINUTE);
  await world.run(make);
  expect((await names(world))[0]).toBe(`often-${FIRST + 298}`);
  expect(await told(world)).toContain('TooManyMissedTimes');
});

test('keeps only as many jobs as the history limit', async () => {
  const world = new World();
  await aCronJob(world, { schedule: '* * * * *', successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 });
  for (const type of ['Failed', 'Complete', 'Failed', 'Complete', 'Complete'] as const) {
    await pass(world, 1);
    for (const name of await active(world)) await finish(world, String(name), type);
  }
  await world.user.patch(OFTEN, { spec: { suspend: true } });
  await world.run(make);
  for (const name of await active(world)) await finish(world, String(name), 'Complete');
  await world.run(make);
  const ended = (await jobs(world)).map((job) => JSON.stringify(job['status']).includes('"Complete"'));
  expect(ended.filter(Boolean)).toHaveLength(2);
  expect(ended).toHaveLength(3);
});

test('removes a deleted job from the active jobs', async () => {
  const world = new World();
  await aCronJob(world);
  await world.run(make);
  await world.user.delete(refOf(JOBS, 'here', `often-${FIRST}`), { propagationPolicy: 'Background' });
  await world.run(make);
  expect(await active(world)).toEqual([]);
  expect(await told(world)).toContain('MissingJob');
});

test('does not touch a job of another owner with the same name', async () => {
  const world = new World();
  await aCronJob(world);
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  await world.user.create(JOBS, { metadata: { name: `often-${FIRST}`, namespace: 'here' }, spec: { template } });
  await pass(world, 1);
  expect(await active(world)).toEqual([]);
  expect(await statusOf(world)).not.toHaveProperty('lastScheduleTime');
});

test('records the scheduled time of a job in the time zone of its schedule', async () => {
  const world = new World();
  await aCronJob(world, { schedule: '14 17 * * *', timeZone: 'America/New_York' });
  await pass(world, 1);
  const [job = {}] = await jobs(world);
  expect(nameOf(job)).toBe(`often-${FIRST}`);
  expect(Object.values(annotationsOf(job))).toContain('2023-11-14T17:14:00-05:00');
});

test('keeps the history limits together with the job controller and the garbage collector', async () => {
  const world = new World();
  await aCronJob(world, { schedule: '* * * * *', successfulJobsHistoryLimit: 1 });
  const whole: Reconcilers = (client, clock) => [
    ...make(client, clock, world),
    jobController(client, clock),
    orphanPods(client),
    garbageCollector(client, clock),
    jobPods(world, () => exited(world, 0)),
  ];
  for (let minute = 1; minute <= 3; minute++) {
    world.clock.advance(MINUTE);
    await world.run(whole);
  }
  await world.user.patch(OFTEN, { spec: { suspend: true } });
  await world.run(whole);
  const [last = {}, ...others] = await jobs(world);
  expect(others).toEqual([]);
  expect(objectAt(last, 'status')).toMatchObject({ succeeded: 1 });
  expect((await world.user.list(core('pods'), { namespace: 'here' })).map((pod) => controllerOf(pod)?.name)).toEqual([
    nameOf(last),
  ]);
  expect(await statusOf(world)).toMatchObject({ lastSuccessfulTime: objectAt(last, 'status')?.['completionTime'] });
  await expectSettled(world, whole);
  expect(world.faults).toEqual([]);
});
