import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { buildKubeScheduler } from '#test/support/clients/kube-scheduler.ts';
import { eventually } from '#test/support/eventually.ts';
import { requester } from '#test/support/requester.ts';
import { needing } from '#test/support/skip.ts';
import { type Cluster, useCluster } from './cluster.ts';
import { type KubeScheduler, kubeScheduler, SCHEDULER_TOKENS } from './kube-scheduler.ts';

const scheduler = await buildKubeScheduler();

const HERE = '/api/v1/namespaces/default';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const STORAGE = '/apis/storage.k8s.io/v1/storageclasses';
const RESOURCE = '/apis/resource.k8s.io/v1';
const HOSTNAME = 'kubernetes.io/hostname';
const TOKENS = new Map([
  ...SCHEDULER_TOKENS,
  ['monitor', { name: 'monitor', groups: ['system:monitoring'] }],
  ['nobody', { name: 'nobody', groups: [] }],
]);

/** Functions that read a cluster's state for a test. */
function asking(cluster: () => Cluster) {
  const ask = (method: string, path: string, body?: JsonObject) => requester(cluster().server)(method, path, body);
  const read = async (path: string): Promise<JsonObject> => (await ask('GET', path)).body;
  const pod = (name: string): Promise<JsonObject> => read(`${HERE}/pods/${name}`);
  const nodeOf = async (name: string): Promise<string> => text(at(await pod(name), 'spec'), 'nodeName');
  return {
    ask,
    read,
    pod,
    nodeOf,
    async make(path: string, object: JsonObject): Promise<void> {
      const { status, body } = await ask('POST', path, object);
      expect(status, text(body, 'message')).toBe(201);
    },
    isPlaced: (name: string) => eventually(async () => expect(await nodeOf(name)).not.toBe('')),
    isRefused: (name: string, message: RegExp) =>
      eventually(async () =>
        expect(items(at(await pod(name), 'status'), 'conditions')).toContainEqual(
          expect.objectContaining({
            type: 'PodScheduled',
            status: 'False',
            reason: 'Unschedulable',
            message: expect.stringMatching(message) as unknown,
          }),
        ),
      ),
    /** The scheduler that reported an event about placing the pod. */
    placedBy: async (name: string): Promise<string[]> =>
      items(await read('/apis/events.k8s.io/v1/namespaces/default/events'), 'items')
        .filter((event) => text(event, 'reason') === 'Scheduled' && text(at(event, 'regarding'), 'name') === name)
        .map((event) => text(event, 'reportingController')),
  };
}

const aPod = (name: string, cpu: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'main', image: 'i', resources: { requests: { cpu } } }],
    ...spec,
  },
});

const onNode = (name: string): JsonObject => ({ nodeSelector: { [HOSTNAME]: name } });

describe('kube-scheduler in place of the server’s own', needing(scheduler), () => {
  const cluster = useCluster({ simulatedNodes: 3, scheduler: false, tokens: TOKENS });
  const { ask, read, make, nodeOf, isPlaced, isRefused, placedBy } = asking(cluster);
  const running: KubeScheduler[] = [];

  const startOne = async (): Promise<KubeScheduler> => {
    const started = { ...cluster(), schedulerName: 'default-scheduler', lease: 'kube-scheduler' };
    const one = await kubeScheduler(scheduler, started);
    running.push(one);
    return one;
  };
  const lease = async (): Promise<JsonObject | undefined> => at(await read(`${LEASES}/kube-scheduler`), 'spec');
  const holder = async (): Promise<string> => text(await lease(), 'holderIdentity');

  const nodesWithTaints = async (): Promise<number> =>
    items(await read('/api/v1/nodes'), 'items').filter((node) => items(at(node, 'spec'), 'taints').length > 0).length;

  afterAll(async () => {
    for (const { program } of running) await program[Symbol.asyncDispose]();
  });

  test('places every pod of a deployment, spread over the nodes, and they run', async () => {
    await eventually(async () => expect(await nodesWithTaints()).toBe(0)); // a node gets no pods until it is ready
    await startOne();
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'i' }] } };
    const web = '/apis/apps/v1/namespaces/default/deployments';
    await make(web, { metadata: { name: 'web' }, spec: { replicas: 12, selector: { matchLabels: labels }, template } });
    await eventually(async () => expect(at(await read(`${web}/web`), 'status')).toMatchObject({ readyReplicas: 12 }));
    const pods = items(await read(`${HERE}/pods?labelSelector=app%3Dweb`), 'items');
    const nodes = pods.map((one) => text(at(one, 'spec'), 'nodeName')).sort();
    expect(new Set(nodes)).toEqual(new Set(['simulated-0', 'simulated-1', 'simulated-2']));
    for (const one of pods)
      await eventually(async () => expect(await placedBy(nameOf(one))).toEqual(['default-scheduler']));
  });

  test('reports why a pod has no node, and places it when a node fits', async () => {
    await make(`${HERE}/pods`, aPod('picky', '1', { nodeSelector: { disk: 'ssd' } }));
    await isRefused('picky', /^0\/3 nodes are available: 3 node\(s\) didn't match Pod's node affinity\/selector/);
    await ask('PATCH', '/api/v1/nodes/simulated-2', { metadata: { labels: { disk: 'ssd' } } });
    await eventually(async () => expect(await nodeOf('picky')).toBe('simulated-2'));
  });

  test('evicts a pod of lower priority', async () => {
    await make('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 1000 });
    await make(`${HERE}/pods`, aPod('low', '30', onNode('simulated-0')));
    await isPlaced('low');
    await make(`${HERE}/pods`, aPod('high', '30', { ...onNode('simulated-0'), priorityClassName: 'high' }));
    await eventually(async () => expect(await nodeOf('high')).toBe('simulated-0'));
    expect((await ask('GET', `${HERE}/pods/low`)).status).toBe(404);
  });

  test('chooses the volume of a claim that waits for its pod', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'local' };
    const delayed = { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' };
    await make(STORAGE, { metadata: { name: 'local' }, ...delayed });
    for (const host of ['simulated-0', 'simulated-1']) {
      const matchExpressions = [{ key: HOSTNAME, operator: 'In', values: [host] }];
      const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions }] } };
      await make('/api/v1/persistentvolumes', {
        metadata: { name: `on-${host}` },
        spec: { ...spec, capacity: { storage: '1Gi' }, local: { path: '/x' }, nodeAffinity },
      });
    }
    const resources = { requests: { storage: '1Gi' } };
    await make(`${HERE}/persistentvolumeclaims`, { metadata: { name: 'data' }, spec: { ...spec, resources } });
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    await make(`${HERE}/pods`, aPod('stateful', '1', { ...onNode('simulated-1'), volumes }));
    await isPlaced('stateful');
    expect(await read(`${HERE}/persistentvolumeclaims/data`)).toMatchObject({
      spec: { volumeName: 'on-simulated-1' },
      status: { phase: 'Bound' },
    });
  });

  test('allocates a device to a claim only once', async () => {
    await make(`${RESOURCE}/deviceclasses`, { metadata: { name: 'gpu' }, spec: {} });
    await make(`${RESOURCE}/resourceslices`, {
      metadata: { name: 'gpus' },
      spec: {
        driver: 'gpu.example.com',
        nodeName: 'simulated-1',
        pool: { name: 'simulated-1', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'gpu-0' }],
      },
    });
    const requests = [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }];
    for (const name of ['first', 'second']) {
      const claims = `${RESOURCE}/namespaces/default/resourceclaims`;
      await make(claims, { metadata: { name }, spec: { devices: { requests } } });
      const resourceClaims = [{ name: 'gpu', resourceClaimName: name }];
      await make(`${HERE}/pods`, aPod(name, '1', { resourceClaims }));
      if (name === 'first') await eventually(async () => expect(await nodeOf(name)).toBe('simulated-1'));
      else await isRefused(name, /cannot allocate all claims/);
    }
    expect(await read(`${RESOURCE}/namespaces/default/resourceclaims/first`)).toMatchObject({
      status: { allocation: { devices: { results: [{ device: 'gpu-0', pool: 'simulated-1' }] } } },
    });
  });

  test('authorizes readers of its metrics at the server', async () => {
    const [{ url } = { url: '' }] = running;
    const ca = readFileSync(join(cluster().folder, 'kube-scheduler.crt'));
    const status = (path: string, token?: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        const sent = get(`${url}${path}`, { ca, headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject);
      });
    expect(await status('/healthz')).toBe(200);
    expect(await status('/metrics', 'monitor')).toBe(200);
    expect(await status('/metrics', 'nobody')).toBe(403);
    expect(await status('/metrics', 'unknown')).toBe(401);
    expect(await status('/metrics')).toBe(403);
  });

  test('the holder of the Lease leads, and the other takes over when the holder is killed', async () => {
    await eventually(async () => expect(await holder()).not.toBe(''));
    const first = await holder();
    await startOne();
    await running[0]?.program.ended('SIGKILL');
    await make(`${HERE}/pods`, aPod('orphan', '1'));
    await isPlaced('orphan');
    expect(await holder()).not.toBe(first);
    expect(await lease()).toMatchObject({ leaseTransitions: 1 });
  });

  test('needs no permission beyond upstream’s roles', () => {
    for (const { program } of running) expect(program.stderr).not.toContain('is forbidden');
  });
});

describe('kube-scheduler in addition to the server’s own', needing(scheduler), () => {
  const cluster = useCluster({ simulatedNodes: 2, tokens: TOKENS });
  const { make, nodeOf, isPlaced, isRefused, placedBy } = asking(cluster);
  let foreign: KubeScheduler | undefined;

  beforeAll(async () => {
    foreign = await kubeScheduler(scheduler, { ...cluster(), schedulerName: 'foreign', lease: 'foreign-scheduler' });
  });
  afterAll(() => foreign?.program[Symbol.asyncDispose]());

  test('each places the pods that name it, and counts those of the other', async () => {
    const schedulers = ['foreign', 'default-scheduler', 'foreign', 'default-scheduler'];
    for (const [place, schedulerName] of schedulers.entries()) {
      await make(`${HERE}/pods`, aPod(`p${place}`, '15', { schedulerName }));
      await isPlaced(`p${place}`);
      await eventually(async () => expect(await placedBy(`p${place}`)).toEqual([schedulerName]));
    }
    const nodes = await Promise.all(schedulers.map((_, place) => nodeOf(`p${place}`)));
    expect(nodes.sort()).toEqual(['simulated-0', 'simulated-0', 'simulated-1', 'simulated-1']);
    for (const schedulerName of new Set(schedulers)) {
      await make(`${HERE}/pods`, aPod(`late-${schedulerName}`, '15', { schedulerName }));
      await isRefused(`late-${schedulerName}`, /^0\/2 nodes are available: 2 Insufficient cpu/);
    }
  });

  test('a kill makes only its own pods wait, not those of the built-in scheduler', async () => {
    await foreign?.program.ended('SIGKILL');
    await make(`${HERE}/pods`, aPod('waits', '1', { schedulerName: 'foreign' }));
    await make(`${HERE}/pods`, aPod('runs', '1'));
    await isPlaced('runs');
    expect(await nodeOf('waits')).toBe('');
  });
});
