import { beforeEach, describe, expect, test } from 'vitest';
import { VOLUME_ATTACHMENTS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { storageLookup } from '#lib/storage/lookup.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { World } from '#test/support/controllers/world.ts';
import type { Referenced } from './references.ts';
import { nodeRelations, type Relations } from './relations.ts';

const CONTAINER = { name: 'c', image: 'i' };

let world: World;
let relations: Relations;

beforeEach(async () => {
  world = new World();
  const { storageOf } = world.server;
  relations = nodeRelations({
    storageOf,
    cluster: 'main',
    clock: world.clock,
    lookup: storageLookup({ storageOf, cluster: 'main' }),
  });
  for (const name of ['ns', 'other']) await world.user.create(NAMESPACES, { metadata: { name } });
});

async function aPod(name: string, node: string, spec: JsonObject = {}, more: JsonObject = {}): Promise<void> {
  await world.user.create(core('serviceaccounts'), { metadata: { name: `${name}-account`, namespace: 'ns' } });
  await world.user.create(core('pods'), {
    metadata: { name, namespace: 'ns', ...more },
    spec: {
      nodeName: node,
      serviceAccountName: `${name}-account`,
      automountServiceAccountToken: false,
      containers: [CONTAINER],
      ...spec,
    },
  });
}

const refers = (kind: Referenced, name: string, node = 'n', namespace = 'ns'): Promise<boolean> =>
  relations.refersTo(kind, { node, namespace, name });

const FULL: JsonObject = {
  imagePullSecrets: [{ name: 'pull' }],
  initContainers: [
    { ...CONTAINER, name: 'i', envFrom: [{ secretRef: { name: 'init-env' } }, { configMapRef: { name: 'init-map' } }] },
  ],
  containers: [
    {
      ...CONTAINER,
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { name: 'env', key: 'k' } } },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 'env-map', key: 'k' } } },
      ],
    },
  ],
  volumes: [
    { name: 'a', secret: { secretName: 'volume' } },
    { name: 'b', configMap: { name: 'volume-map' } },
    {
      name: 'c',
      projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'projected-map' } }] },
    },
    { name: 'd', persistentVolumeClaim: { claimName: 'claim' } },
    {
      name: 'e',
      ephemeral: {
        volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
      },
    },
    { name: 'f', csi: { driver: 'd', nodePublishSecretRef: { name: 'csi' } } },
  ],
  resourceClaims: [{ name: 'r', resourceClaimName: 'device' }],
};

test('grants a node only the objects to which its pods refer', async () => {
  await aPod('full', 'n', FULL);
  const mine: [Referenced, string[]][] = [
    ['secrets', ['pull', 'init-env', 'env', 'volume', 'projected', 'csi']],
    ['configmaps', ['init-map', 'env-map', 'volume-map', 'projected-map']],
    ['persistentvolumeclaims', ['claim', 'full-e']],
    ['resourceclaims', ['device']],
    ['serviceaccounts', ['full-account']],
  ];
  for (const [kind, names] of mine) {
    for (const name of names) expect([name, await refers(kind, name)]).toEqual([name, true]);
    expect(await refers(kind, names[0] ?? '', 'm')).toBe(false);
    expect(await refers(kind, names[0] ?? '', 'n', 'other')).toBe(false);
    expect(await refers(kind, 'foreign')).toBe(false);
  }
});

test('grants nothing for a mirror pod', async () => {
  const spec = { serviceAccountName: '', volumes: [{ name: 'v', configMap: { name: 'map' } }] };
  await aPod('mirror', 'n', spec, { annotations: { 'kubernetes.io/config.mirror': 'x' } });
  expect(await refers('configmaps', 'map')).toBe(false);
  expect(await relations.hasPod({ node: 'n', namespace: 'ns', name: 'mirror' })).toBe(true);
});

/** A claim with a volume that uses secrets, and a pod `user` on node n that mounts it. */
async function aMountedVolume(): Promise<void> {
  const claimRef = { namespace: 'ns', name: 'claim' };
  const csi = {
    driver: 'd',
    volumeHandle: 'h',
    nodeStageSecretRef: { namespace: 'other', name: 'stage' },
    controllerPublishSecretRef: { namespace: 'other', name: 'control' },
  };
  const spec = { capacity: { storage: '1' }, accessModes: ['ReadWriteOnce'], claimRef, csi };
  await world.user.create(core('persistentvolumes'), { metadata: { name: 'volume' }, spec });
  const wanted = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, volumeName: 'volume' };
  await world.user.create(core('persistentvolumeclaims'), {
    metadata: { name: 'claim', namespace: 'ns' },
    spec: wanted,
  });
  await aPod('user', 'n', FULL);
}

describe('volumes and their secrets', () => {
  beforeEach(aMountedVolume);

  test('a volume belongs to the node whose pods use its claim', async () => {
    expect(await relations.mounts({ node: 'n', name: 'volume' })).toBe(true);
    expect(await relations.mounts({ node: 'm', name: 'volume' })).toBe(false);
    expect(await relations.mounts({ node: 'n', name: 'none' })).toBe(false);
  });

  test.each([
    ['stage', 'n', 'other', true],
    ['stage', 'm', 'other', false],
    ['stage', 'n', 'ns', false],
    ['control', 'n', 'other', false],
  ])('the secret %s is granted to node %s in namespace %s: %s', async (name, node, namespace, has) => {
    expect(await refers('secrets', name, node, namespace)).toBe(has);
  });
});

test('refuses the secret of a volume after the deletion of the pod that mounted it', async () => {
  await aMountedVolume();
  expect(await refers('secrets', 'stage', 'n', 'other')).toBe(true);
  await world.user.delete(refOf(core('pods'), 'ns', 'user'), { gracePeriodSeconds: 0 });
  expect(await refers('secrets', 'stage', 'n', 'other')).toBe(false);
});

test('an attachment belongs to the node that it names', async () => {
  const spec = { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } };
  await world.user.create(VOLUME_ATTACHMENTS, { metadata: { name: 'va' }, spec });
  expect(await relations.isNamedBy(VOLUME_ATTACHMENTS, { node: 'n', name: 'va' })).toBe(true);
  expect(await relations.isNamedBy(VOLUME_ATTACHMENTS, { node: 'm', name: 'va' })).toBe(false);
  expect(await relations.isNamedBy(VOLUME_ATTACHMENTS, { node: 'n', name: 'none' })).toBe(false);
});

test('grants the secrets of a pod from its creation to its deletion', async () => {
  expect(await refers('secrets', 'pull')).toBe(false);
  await aPod('new', 'n', { imagePullSecrets: [{ name: 'pull' }] });
  expect(await refers('secrets', 'pull')).toBe(true);
  await world.user.delete(refOf(core('pods'), 'ns', 'new'), { gracePeriodSeconds: 0 });
  expect(await refers('secrets', 'pull')).toBe(false);
});

test('grants a secret if another pod of the node still refers to it', async () => {
  for (const name of ['first', 'second']) await aPod(name, 'n', { imagePullSecrets: [{ name: 'pull' }] });
  expect(await refers('secrets', 'pull')).toBe(true);
  await world.user.delete(refOf(core('pods'), 'ns', 'first'), { gracePeriodSeconds: 0 });
  expect(await refers('secrets', 'pull')).toBe(true);
});

test('refuses the secret of a pod that was recreated on another node', async () => {
  await aPod('moved', 'n', { imagePullSecrets: [{ name: 'pull' }] });
  expect(await refers('secrets', 'pull')).toBe(true);
  await world.user.delete(refOf(core('pods'), 'ns', 'moved'), { gracePeriodSeconds: 0 });
  await world.user.delete(refOf(core('serviceaccounts'), 'ns', 'moved-account'));
  await aPod('moved', 'm', { imagePullSecrets: [{ name: 'pull' }] });
  expect(await refers('secrets', 'pull')).toBe(false);
});

test('reads no pods of other nodes, however many exist', async () => {
  for (let i = 0; i < 30; i++) await aPod(`other-${i}`, `m${i % 3}`);
  await aPod('mine', 'n', { imagePullSecrets: [{ name: 'pull' }] });
  let looked = 0;
  const { storageOf } = world.server;
  const counting: typeof storageOf = (at) => {
    const storage = storageOf(at);
    const list: typeof storage.list = async ({ matches = () => true, ...request }) =>
      storage.list({ ...request, matches: (object) => (looked++, matches(object)) });
    return Object.assign(Object.create(storage) as typeof storage, { list, head: () => storage.head() });
  };
  const counted = nodeRelations({
    storageOf: counting,
    cluster: 'main',
    clock: world.clock,
    lookup: storageLookup({ storageOf, cluster: 'main' }),
  });
  expect(await counted.refersTo('secrets', { node: 'n', namespace: 'ns', name: 'pull' })).toBe(true);
  expect(await counted.refersTo('secrets', { node: 'n', namespace: 'other', name: 'pull' })).toBe(false);
  expect(looked).toBe(1);
  await world.user.delete(refOf(core('pods'), 'ns', 'other-0'), { gracePeriodSeconds: 0 });
  expect(await counted.refersTo('configmaps', { node: 'n', namespace: 'ns', name: 'none' })).toBe(false);
  expect(looked).toBe(2);
});
