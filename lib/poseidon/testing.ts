import type { Client } from '#lib/client/client.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { Scheduler } from '#lib/scheduler/scheduler.ts';
import { aHandle, aNode, aPod, type NodeOf, type PodOf, versioned } from '#lib/scheduler/testing/wrappers.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { COST_MODELS, type CostModelName } from './cost-models/cost-models.ts';
import { PoseidonMetrics } from './metrics.ts';
import { poseidonConfiguration } from './profile.ts';
import { POSEIDON } from './profile-name.ts';
import { Rounds } from './rounds.ts';

/** The nodes of bound pods, the patches of pods without a node, and the number of solves, after the scheduler has settled. */
export async function settledWorld(world: {
  readonly nodes: readonly NodeOf[];
  readonly pods: readonly PodOf[];
  readonly model?: CostModelName;
  /** The `minMember` of PodGroups, by name, in the namespace default. */
  readonly groups?: Readonly<Record<string, number>>;
}) {
  const { nodes, pods, model = 'cpu-memory', groups = {} } = world;
  const bound = new Map<string, string>();
  const refused = new Map<string, string>();
  const metrics = new PoseidonMetrics();
  const client: Client = {
    ...aHandle().client,
    async get({ name }) {
      const minMember = groups[name];
      return minMember === undefined ? undefined : { spec: { minMember } };
    },
    async create(_resource, object, subresource) {
      if (subresource === 'binding') bound.set(nameOf(object), text(objectAt(object, 'target'), 'name'));
      return object;
    },
    async patch({ name }, patch) {
      refused.set(name, JSON.stringify(patch));
      return {};
    },
  };
  const scheduler = new Scheduler({
    ...poseidonConfiguration(COST_MODELS[model]),
    strategy: new Rounds({ model: COST_MODELS[model], metrics }),
    extenders: () => [],
    client,
    clock: new ManualClock(),
    random: () => 0,
    reportFault(error) {
      throw error;
    },
  });
  for (const node of nodes)
    scheduler.tell('nodes', versioned(aNode({ capacity: { cpu: '4', memory: '8Gi', pods: '10' }, ...node })));
  for (const pod of pods)
    scheduler.tell('pods', versioned(aPod({ ...pod, spec: { schedulerName: POSEIDON, ...pod.spec } })));
  await scheduler.settle();
  await scheduler.close();
  const solves = metrics.collect()[0]?.samples.find(({ suffix }) => suffix === '_count')?.value;
  return { bound, refused, solves };
}
