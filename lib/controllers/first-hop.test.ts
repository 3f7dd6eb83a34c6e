import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { changeOf } from '#lib/client/controller/object-change.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { ChangeType } from '#lib/storage/sequence.ts';
import { endpointSliceMirroringController } from './endpointslicemirroring/reconcile.ts';
import { asAdded, asGone, keysOf, readOnce, remind } from './first-hop.ts';
import { Relations } from './persistentvolume/relations.ts';
import { needsForChange } from './reminders.ts';

const CONTROLLED = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u', controller: true }];

function change(type: ChangeType, key: string, object: JsonObject = {}): ObjectChange {
  const [namespace = '', name = ''] = key.split('/').slice(-2);
  const [, group = ''] = key.split('/');
  const apiVersion = group === '' ? 'v1' : `${group}/v1`;
  const metadata = { namespace, name, ...(object['metadata'] as JsonObject | undefined) };
  const body = Buffer.from(JSON.stringify({ apiVersion, ...object, metadata }));
  return changeOf(type, { key, body, summary: summarizeBody(body) });
}

const orphan = change('MODIFIED', 'main//pods/team/web-1', { spec: { nodeName: 'n' } });
const controlled = change('MODIFIED', 'main//pods/team/web-1', { metadata: { ownerReferences: CONTROLLED } });
const deleted = change('DELETED', 'main//pods/team/web-1', { metadata: { ownerReferences: CONTROLLED } });

test.each<[string, string, ObjectChange, string[]]>([
  ['no owners for a controlled pod', 'replicaset-controller', controlled, []],
  ['the sets that may select an orphaned pod', 'replicaset-controller', orphan, ['replicasets team']],
  ['the services that may select the pod', 'endpoint', controlled, ['services team']],
  ['only the node of the pod', 'pod-garbage-collector', orphan, ['nodes  n']],
  ['no node for a pod without one', 'pod-garbage-collector', controlled, []],
  ['only the namespace of a deleted object', 'namespace', deleted, ['namespaces  team']],
  ['no namespace for an existing object', 'namespace', controlled, []],
  ['the quotas for an object whose usage may change', 'resource-quota', controlled, ['resourcequotas team']],
  ['no quotas for a kind with constant usage', 'resource-quota', change('MODIFIED', 'main//configmaps/team/c'), []],
  ['the replica set of a deleted pod of a deployment', 'deployment-controller', deleted, ['replicasets team web']],
  [
    'no objects for a kind that the reconciler does not watch',
    'statefulset-controller',
    change('ADDED', 'main//secrets/a/b'),
    [],
  ],
])('reads, before a reconciler receives a change, %s', (_case, reconciler, of, expected) => {
  const needs = needsForChange(reconciler, of);
  expect(needs.map(({ kind, namespace, name }) => [kind.resource, namespace, name].join(' ').trimEnd())).toEqual(
    expected,
  );
});

const PODS = { group: '', version: 'v1', resource: 'pods' };

/** A client that has one object, and fails the first `failing` calls. */
function aClient(object: JsonObject, failing = 0) {
  const asked: string[] = [];
  let left = failing;
  const answer = async (what: string) => {
    asked.push(what);
    if (left-- > 0) throw new TypeError('not now');
    return object;
  };
  const client: Pick<Client, 'get' | 'list'> = {
    get: (ref) => answer(`get ${ref.resource.resource}/${ref.name}`),
    list: async ({ resource }) => [await answer(`list ${resource}`)],
  };
  return { client: client as Client, asked };
}

test('reads objects that several changes need only once, and again after a failure', async () => {
  const { client, asked } = aClient({}, 1);
  const read = readOnce(client);
  await expect(read({ kind: PODS, namespace: 'a' })).rejects.toThrow('not now');
  await Promise.all([read({ kind: PODS, namespace: 'a' }), read({ kind: PODS, namespace: 'a' })]);
  await read({ kind: PODS, namespace: 'a', name: 'b' });
  expect(asked).toEqual(['list pods', 'list pods', 'get pods/b']);
});

/** A reconciler that records its changes and returns keys only for objects whose state it did not know. */
function aReconciler(name: string) {
  const known = new Map<string, string>();
  const told: string[] = [];
  const reconciler: Reconciler = {
    name,
    keys(one) {
      const state = JSON.stringify(one.object());
      const before = known.get(one.name);
      known.set(one.name, state);
      told.push(`${one.resource}/${one.name}`);
      return before === state ? [] : [one.name];
    },
    reconcile: async () => undefined,
  };
  return { reconciler, told };
}

test('compares a change with the state before it', async () => {
  const { client } = aClient({});
  const read = readOnce(client);
  const keys = (before: ObjectChange, now: ObjectChange) =>
    keysOf(aReconciler('any').reconciler, now, { before, read });
  expect(await keys(controlled, controlled)).toEqual([]);
  expect(await keys(orphan, controlled)).toEqual(['web-1']);
});

test('passes a reconciler only the dependents in the index', async () => {
  const { client, asked } = aClient({ metadata: { name: 'web', namespace: 'team', uid: 'u' } });
  const { reconciler, told } = aReconciler('replicaset-controller');
  const index = {
    dependents: async (cluster: string, owner: string) =>
      cluster === 'main' && owner === 'u' ? ['main//pods/team/web-1', 'main/apps/replicasets/team/x'] : [],
  };
  await remind(reconciler, 'team/web', { client, index });
  expect([asked, told]).toEqual([['get replicasets/web'], ['pods/web-1']]);
});

test('returns keys for deletions of which only the namespace and name are known', () => {
  const volumes = new Relations();
  const claim = decodedAs(PERSISTENT_VOLUME_CLAIMS, { metadata: { namespace: 'team', name: 'data' } });
  volumes.keys(asAdded(PERSISTENT_VOLUME_CLAIMS, claim));
  const { group, resource } = PERSISTENT_VOLUMES;
  expect(volumes.keys(asGone({ group, resource, namespace: '', name: 'v' }))).toEqual([]);
  const place = { group: '', namespace: 'team', name: 'data' };
  expect(volumes.keys(asGone({ ...place, resource: 'persistentvolumeclaims' }))).toEqual([]);
  const mirroring = endpointSliceMirroringController({} as Client, new ManualClock(0));
  expect(mirroring.keys(asGone({ ...place, resource: 'services' }))).toEqual(['team/data']);
});
