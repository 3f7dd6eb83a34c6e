import { orphanPods } from '#lib/controllers/job/orphans.ts';
import { jobController } from '#lib/controllers/job/reconcile.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { aNamespace } from './here.ts';
import { exited, indexIn, jobPods, type PodRule, running } from './job-pods.ts';
import { core, refOf } from './refs.ts';
import type { Reconcilers, World } from './world.ts';

export const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' };
export const WORK = refOf(JOBS, 'here', 'work');

/** The outcome of a pod, which may depend on the number of earlier pods. */
export type Rules = (world: World) => PodRule;

export const all =
  (exitCode: number): Rules =>
  (world) =>
  () =>
    exited(world, exitCode);
export const succeed = all(0);
export const fail = all(1);
export const run: Rules = () => () => running();
/** The exit codes of failing pods, by index. */
export const failing =
  (codes: Readonly<Record<number, number>>): Rules =>
  (world) =>
  (pod) =>
    exited(world, codes[indexIn(pod)] ?? 0);

export const withPods =
  (rules: Rules = succeed): Reconcilers =>
  (client, clock, world) => [jobController(client, clock), orphanPods(client), jobPods(world, rules(world))];

export async function aJob(world: World, { template = {}, ...spec }: JsonObject = {}): Promise<void> {
  await aNamespace(world);
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

export const jobOf = async (world: World): Promise<JsonObject> => (await world.user.get(WORK)) ?? {};
export const statusOf = async (world: World): Promise<JsonObject> => objectAt(await jobOf(world), 'status') ?? {};
export const change = (world: World, spec: JsonObject) => world.user.patch(WORK, { spec });

/** True conditions, with their reasons. */
export async function conditions(world: World): Promise<string[]> {
  const held = arrayAt(await statusOf(world), 'conditions').filter(isObject);
  return held.map((one) => `${one['status'] === 'True' ? '' : 'not '}${one['type']} ${one['reason']}`);
}

export async function told(world: World): Promise<string[]> {
  const events = await world.user.list(core('events'), { namespace: 'here' });
  return [...new Set(events.map((one) => stringAt(one, 'reason') ?? ''))].sort();
}

export const COMPLETE = ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'];
export const failedBy = (reason: string): string[] => [`FailureTarget ${reason}`, `Failed ${reason}`];
export const INDEXED = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
