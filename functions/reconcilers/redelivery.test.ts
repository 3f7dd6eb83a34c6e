import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { randomFrom } from '#test/store/random.ts';
import { aCloud, type Cloud } from '#test/support/controllers/cloud.ts';
import { aNode, kubelet, Redelivery } from '#test/support/controllers/redelivery.ts';
import { core, DEFINITIONS, definition, NAMESPACES, refOf, WIDGETS } from '#test/support/controllers/refs.ts';
import { difference, stateOf } from '#test/support/controllers/same-state.ts';

const gvr = (group: string, resource: string) => ({ group, version: 'v1', resource });
const DEPLOYMENTS = gvr('apps', 'deployments');
const STATEFUL = gvr('apps', 'statefulsets');
const JOBS = gvr('batch', 'jobs');
const DAEMONS = gvr('apps', 'daemonsets');
const ROLES = gvr('rbac.authorization.k8s.io', 'clusterroles');
const CLASSES = gvr('storage.k8s.io', 'storageclasses');
const BUDGETS = gvr('policy', 'poddisruptionbudgets');

const CONTAINER = { name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } };
const SPEC = { containers: [CONTAINER] };
const template = (app: string, more: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app } },
  spec: { ...SPEC, ...more },
});
const rule = (resource: string): JsonObject => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
const aggregated = (name: string, of?: string): JsonObject => ({
  metadata: { name, labels: { part: name } },
  ...(of === undefined
    ? { rules: [rule('secrets')] }
    : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: of } }] } }),
});
const STORAGE: JsonObject = { accessModes: ['ReadWriteOnce'], storageClassName: 'slow' };
const volume = (name: string): JsonObject => ({
  metadata: { name },
  spec: { ...STORAGE, capacity: { storage: '1Gi' }, hostPath: { path: '/x' } },
});
const selector = (app: string): JsonObject => ({ matchLabels: { app } });
const inTeam = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: { name, namespace: 'team', ...more },
});
const deployment = (replicas: number): JsonObject => ({
  ...inTeam('d'),
  spec: { replicas, selector: selector('d'), template: template('d') },
});
const ownedBy = (owner: JsonObject): JsonObject => {
  const { name, uid } = owner['metadata'] as { name: string; uid: string };
  return { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true }] };
};

type Step = (user: Client) => Promise<unknown>;
const put =
  (resource: ReturnType<typeof core>, object: JsonObject): Step =>
  (user) =>
    user.create(resource, object);
const patched =
  (resource: ReturnType<typeof core>, name: string, patch: JsonObject): Step =>
  (user) =>
    user.patch(refOf(resource, 'team', name), patch);
const gone =
  (
    resource: ReturnType<typeof core>,
    name: string,
    how: Parameters<Client['delete']>[1] = {},
    namespace = 'team',
  ): Step =>
  (user) =>
    user.delete(refOf(resource, namespace, name), how);

/** Writes of users. Each list starts after all earlier changes have settled. */
const PHASES: readonly (readonly Step[])[] = [
  [
    put(core('resourcequotas'), {
      ...inTeam('q'),
      spec: { hard: { pods: '50', 'requests.cpu': '10', configmaps: '20' } },
    }),
    put(DEPLOYMENTS, deployment(2)),
    put(STATEFUL, {
      ...inTeam('s'),
      spec: { replicas: 2, serviceName: 's', selector: selector('s'), template: template('s') },
    }),
    put(JOBS, {
      ...inTeam('j'),
      spec: { completions: 3, parallelism: 2, template: template('j', { restartPolicy: 'Never' }) },
    }),
    put(core('services'), { ...inTeam('web'), spec: { selector: { app: 'd' }, ports: [{ port: 80 }] } }),
    put(BUDGETS, { ...inTeam('b'), spec: { minAvailable: 1, selector: selector('d') } }),
    put(DEFINITIONS, definition('widgets', 'Widget')),
    put(NAMESPACES, { metadata: { name: 'other' } }),
    put(core('configmaps'), { metadata: { name: 'held', namespace: 'other', finalizers: ['example.com/hold'] } }),
    put(DAEMONS, { ...inTeam('ds'), spec: { selector: selector('ds'), template: template('ds') } }),
    put(core('replicationcontrollers'), {
      ...inTeam('rc'),
      spec: { replicas: 1, selector: { app: 'rc' }, template: template('rc') },
    }),
    put(ROLES, aggregated('all', 'one')),
    put(ROLES, aggregated('one')),
    put(core('services'), { ...inTeam('mirrored'), spec: { ports: [{ port: 80 }] } }),
    put(core('endpoints'), {
      ...inTeam('mirrored'),
      subsets: [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 80 }] }],
    }),
    put(CLASSES, { metadata: { name: 'slow' }, provisioner: 'kubernetes.io/no-provisioner' }),
    put(core('persistentvolumes'), volume('v')),
    put(core('persistentvolumeclaims'), {
      ...inTeam('c'),
      spec: { ...STORAGE, resources: { requests: { storage: '1Gi' } } },
    }),
    async (user) => {
      const owner = await user.create(core('configmaps'), inTeam('owner'));
      await user.create(core('configmaps'), inTeam('first', ownedBy(owner)));
      await user.create(core('secrets'), inTeam('second', ownedBy(owner)));
    },
  ],
  [
    put(WIDGETS, { apiVersion: 'example.com/v1', kind: 'Widget', ...inTeam('w') }),
    patched(DEPLOYMENTS, 'd', { spec: { replicas: 4 } }),
    patched(STATEFUL, 's', { spec: { template: { spec: { containers: [{ ...CONTAINER, image: 'new' }] } } } }),
    gone(core('configmaps'), 'owner', { propagationPolicy: 'Foreground' }),
    gone(NAMESPACES, 'other', {}, ''),
    patched(core('resourcequotas'), 'q', { spec: { hard: { configmaps: '30' } } }),
    gone(core('persistentvolumeclaims'), 'c'),
    put(ROLES, aggregated('two', 'three')),
    (user) => user.patch(refOf(ROLES, '', 'one'), { rules: [rule('pods')] }),
    patched(core('endpoints'), 'mirrored', { subsets: [{ addresses: [{ ip: '10.1.0.2' }], ports: [{ port: 80 }] }] }),
    patched(DAEMONS, 'ds', { spec: { template: { metadata: { annotations: { a: 'b' } } } } }),
    put(core('pods'), {
      ...inTeam('bare'),
      ...template('d'),
      metadata: { name: 'bare', namespace: 'team', labels: { app: 'd' } },
    }),
  ],
  [
    (user) => user.patch(refOf(core('configmaps'), 'other', 'held'), { metadata: { finalizers: null } }),
    patched(DEPLOYMENTS, 'd', { spec: { template: { metadata: { labels: { version: '2' } } } } }),
    gone(core('replicationcontrollers'), 'rc', { propagationPolicy: 'Foreground' }),
    gone(core('endpoints'), 'mirrored'),
    gone(core('persistentvolumes'), 'v', {}, ''),
    gone(ROLES, 'one', {}, ''),
    gone(JOBS, 'j', { propagationPolicy: 'Background' }),
    gone(DEFINITIONS, 'widgets.example.com', {}, ''),
    gone(core('services'), 'web'),
    patched(STATEFUL, 's', { spec: { replicas: 1 } }),
    gone(core('pods'), 'bare', { gracePeriodSeconds: 0 }),
  ],
  [gone(DEPLOYMENTS, 'd', { propagationPolicy: 'Background' })],
  [
    put(DEPLOYMENTS, deployment(3)),
    put(NAMESPACES, { metadata: { name: 'other' } }),
    put(DEFINITIONS, definition('widgets', 'Widget')),
    gone(core('resourcequotas'), 'q'),
    put(core('resourcequotas'), { ...inTeam('q'), spec: { hard: { pods: '60' } } }),
    gone(STATEFUL, 's', { propagationPolicy: 'Orphan' }),
  ],
];

/** The last version of each log. */
async function headsOf({ store }: Cloud): Promise<Record<string, number>> {
  const names = await store.names();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await store.sequence(name).head()])));
}

const NONE = { missing: [], more: [] };

async function inOrder(cloud: Cloud): Promise<void> {
  do await cloud.settle();
  while (await kubelet(cloud));
}

async function expected(): Promise<readonly string[]> {
  const cloud = await aCloud();
  await aNode(cloud);
  for (const phase of PHASES) {
    for (const step of phase) await step(cloud.user);
    await inOrder(cloud);
  }
  expect([cloud.faults, cloud.dead]).toEqual([[], []]);
  return stateOf(cloud.user);
}

test('repeated, late and reordered messages lead to the same state', async () => {
  const state = await expected();
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const cloud = await aCloud();
      await aNode(cloud);
      const queues = new Redelivery(cloud, randomFrom(seed));
      for (const phase of PHASES) {
        for (const step of phase) {
          await step(cloud.user);
          await queues.some();
        }
        await queues.settle();
      }
      expect(difference(state, await stateOf(cloud.user))).toEqual(NONE);
      const before = await headsOf(cloud);
      await queues.again();
      expect(await headsOf(cloud)).toEqual(before);
      expect(difference(state, await stateOf(cloud.user))).toEqual(NONE);
      expect([cloud.faults, cloud.dead]).toEqual([[], []]);
    }),
    { numRuns: process.env['DAVIT_FULL'] === undefined ? 1 : 20, endOnFailure: true },
  );
});
