import { systemClock } from '#adapters/clock.ts';
import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { COST_MODELS } from '#lib/poseidon/cost-models/cost-models.ts';
import { PoseidonMetrics } from '#lib/poseidon/metrics.ts';
import { poseidonConfiguration } from '#lib/poseidon/profile.ts';
import { POSEIDON } from '#lib/poseidon/profile-name.ts';
import { Rounds } from '#lib/poseidon/rounds.ts';
import { schedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import { HOSTNAME } from '#lib/scheduler/framework/plugins/podtopologyspread/constraints.ts';
import { Scheduler, type SchedulerOptions } from '#lib/scheduler/scheduler.ts';
import { aHandle, aNode, aPod, type PodOf, versioned } from '#lib/scheduler/testing/wrappers.ts';

const SIZES = [1000, 5000, 10_000];
/** The number of pods of a workload. */
const REPLICAS = 100;
const CAPACITY = { cpu: '32', memory: '64Gi', pods: '110' };
const REQUESTS = { cpu: '100m', memory: '64Mi' };

/** The constraints of a workload's pods. */
const KINDS: readonly (readonly [string, (app: string) => JsonObject])[] = [
  ['without constraints', () => ({})],
  [
    'with anti-affinity',
    (app) => {
      const term = { labelSelector: { matchLabels: { app } }, topologyKey: HOSTNAME };
      return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    },
  ],
];

/**
 * Measures the processor time of a placement by the default scheduler and by Poseidon, in this process, without an API server: as many pods
 * as nodes, in workloads of 100 equal pods.
 */
export async function measurePoseidon(): Promise<void> {
  const [model, metrics] = [COST_MODELS['cpu-memory'], new PoseidonMetrics()];
  console.log('processor time of a placement in ms: default scheduler, poseidon, ratio (bar 0.5)');
  for (const size of SIZES)
    for (const [kind, specOf] of KINDS) {
      const pods = podsOf(size, specOf);
      const plain = await spent(size, pods, 'default-scheduler', schedulerConfiguration());
      const strategy = new Rounds({ model, metrics });
      const flow = await spent(size, pods, POSEIDON, { ...poseidonConfiguration(model), strategy });
      const cells = [plain, flow].map((ms) => (ms / size).toFixed(3));
      console.log(`${size} pods ${kind} on ${size} nodes: ${cells.join(', ')}, ${(flow / plain).toFixed(2)}`);
    }
}

const podsOf = (count: number, specOf: (app: string) => JsonObject): PodOf[] =>
  Array.from({ length: count }, (_, i) => {
    const app = `app-${Math.floor(i / REPLICAS)}`;
    return { name: `p${i}`, labels: { app }, requests: REQUESTS, spec: specOf(app) };
  });

type Configuration = Pick<SchedulerOptions, 'profiles' | 'percentageOfNodesToScore' | 'backoff' | 'strategy'>;

/** The processor time in ms of placing all pods. Throws if one finds no node. */
async function spent(
  nodes: number,
  pods: readonly PodOf[],
  schedulerName: string,
  configuration: Configuration,
): Promise<number> {
  let bound = 0;
  const client: Client = {
    ...aHandle().client,
    async create(_resource, object, subresource) {
      if (subresource === 'binding') bound++;
      return object;
    },
    async patch({ name }) {
      throw new Error(`${name} found no node`);
    },
  };
  const scheduler = new Scheduler({
    ...configuration,
    extenders: () => [],
    client,
    clock: systemClock,
    random: Math.random,
    reportFault,
  });
  for (let i = 0; i < nodes; i++)
    scheduler.tell('nodes', versioned(aNode({ name: `n${i}`, labels: { [HOSTNAME]: `n${i}` }, capacity: CAPACITY })));
  for (const pod of pods) scheduler.tell('pods', versioned(aPod({ ...pod, spec: { ...pod.spec, schedulerName } })));
  const before = process.cpuUsage();
  await scheduler.settle();
  const { user, system } = process.cpuUsage(before);
  await scheduler.close();
  if (bound !== pods.length) throw new Error(`${bound} of ${pods.length} pods are bound`);
  return (user + system) / 1000;
}

function reportFault(error: unknown): void {
  throw error;
}
