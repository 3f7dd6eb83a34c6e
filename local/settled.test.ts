import { expect, test } from 'vitest';
import { CONTROLLER_NAMES } from '#functions/reconcilers/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { inStep } from '#test/support/controllers/in-step.ts';
import { RETENTION } from '#test/support/server-in-process.ts';

const of =
  (group: string, version = 'v1') =>
  (resource: string) => ({ group, version, resource });
const [core, apps, batch] = [of(''), of('apps'), of('batch')];
const PODS = core('pods');
const labels = { app: 'web' };
const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }];
const template = { metadata: { labels }, spec: { containers } };
const selector = { matchLabels: labels };
const named = (name: string): JsonObject => ({ name, namespace: 'default' });
const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

/** One object of each kind that a controller reconciles. */
const OBJECTS: readonly (readonly [ReturnType<typeof core>, JsonObject])[] = [
  [core('nodes'), { metadata: { name: 'node' } }],
  [apps('deployments'), { metadata: named('web'), spec: { replicas: 2, selector, template } }],
  [apps('daemonsets'), workload('agent', {})],
  [apps('statefulsets'), workload('db', { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: storage }] })],
  [
    core('replicationcontrollers'),
    { metadata: named('old'), spec: { selector: { app: 'old' }, template: labelled('old') } },
  ],
  [batch('jobs'), { metadata: named('once'), spec: { template: { spec: { containers, restartPolicy: 'Never' } } } }],
  [
    batch('cronjobs'),
    {
      metadata: named('yearly'),
      spec: {
        schedule: '0 0 1 1 *',
        jobTemplate: { spec: { template: { spec: { containers, restartPolicy: 'Never' } } } },
      },
    },
  ],
  [core('services'), { metadata: named('web'), spec: { selector: labels, ports: [{ port: 80 }] } }],
  [core('resourcequotas'), { metadata: named('all'), spec: { hard: { pods: '100' } } }],
  [of('policy')('poddisruptionbudgets'), { metadata: named('web'), spec: { minAvailable: 1, selector } }],
  [
    of('autoscaling', 'v2')('horizontalpodautoscalers'),
    {
      metadata: named('web'),
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
        ],
      },
    },
  ],
  [
    of('resource.k8s.io')('resourceclaimtemplates'),
    {
      metadata: named('gpus'),
      spec: { spec: { devices: { requests: [{ name: 'g', exactly: { deviceClassName: 'g' } }] } } },
    },
  ],
  [
    PODS,
    {
      metadata: named('gpu'),
      spec: { containers, resourceClaims: [{ name: 'g', resourceClaimTemplateName: 'gpus' }] },
    },
  ],
  [core('persistentvolumeclaims'), { metadata: named('waits'), spec: storage }],
  [
    core('secrets'),
    {
      metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true' },
    },
  ],
  [core('configmaps'), { metadata: { name: 'cluster-info', namespace: 'kube-public' }, data: { kubeconfig: 'x' } }],
];

function labelled(app: string): JsonObject {
  return { metadata: { labels: { app } }, spec: { containers } };
}

function workload(app: string, more: JsonObject): JsonObject {
  return { metadata: named(app), spec: { selector: { matchLabels: { app } }, template: labelled(app), ...more } };
}

/** Sets every pending pod to running and ready. */
async function runPods(client: Client): Promise<void> {
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  for (const pod of await client.list(PODS, { namespace: 'default', fieldSelector: 'status.phase=Pending' }))
    await client.patch({ resource: PODS, namespace: 'default', name: nameOf(pod) }, { status }, 'status');
}

test('no controller writes or polls unscheduled in a settled world for a minute', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock, retention: RETENTION });
  const { server, faults, invoked, pass, control } = inStep(store, clock);
  const controllers = await control('*', ...CONTROLLER_NAMES);
  const heads = async (): Promise<Record<string, number>> => {
    const names = await store.names();
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await store.sequence(name).head()])));
  };
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'user' });
  await pass(5);
  for (const [resource, object] of OBJECTS) await client.create(resource, object);
  for (let round = 0; round < 4; round++) {
    await pass(15);
    await runPods(client);
  }
  expect(await client.list(PODS, { namespace: 'default' })).toHaveLength(7);

  await pass(15); // the node missed its heartbeats meanwhile, which causes daemon sets to be reconciled
  const before = await heads();
  invoked.length = 0;
  await pass(60);
  expect(invoked).toEqual(Array.from({ length: 4 }, () => 'horizontal-pod-autoscaler')); // every 15 seconds
  expect(await heads()).toEqual(before);
  expect(faults).toEqual([]);

  await controllers.close();
  await server.close();
});
