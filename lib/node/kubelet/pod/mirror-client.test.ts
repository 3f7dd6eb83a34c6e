import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';
import { PodConfig } from '../config/pod-config.ts';
import { staticPodOf } from '../config/static-pod.ts';
import { MirrorClient } from './mirror-client.ts';
import { PodManager } from './pod-manager.ts';

const REF = { resource: PODS, namespace: 'default', name: 'web-n1' };
let world: World;
let client: Clientset;
let mirrors: MirrorClient;

beforeEach(async () => {
  world = new World();
  client = clientset(world.user);
  mirrors = new MirrorClient(client, 'n1');
  await aNamespace(world, 'default');
});
afterEach(() => world.close());

/** The static pod of a manifest, as its source delivers it. */
function staticPod(image = 'nginx'): Pod {
  const manifest = `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: ${image}}]}\n`;
  let told: Pod | undefined;
  const config = new PodConfig({
    clock: world.clock,
    recorder: { event: () => undefined },
    deliver: ({ pods }) => ([told] = pods),
  });
  config.set('file', [staticPodOf(Buffer.from(manifest), { file: '/m/web.yaml', node: 'n1' })]);
  if (told === undefined) throw new Error('no pod was told');
  return told;
}

const registered = (): Promise<unknown> => client.create(NODES, { metadata: { name: 'n1' } });

test('creates a mirror of a static pod with the hash of its text and its Node as owner', async () => {
  await registered();
  const pod = staticPod();
  await mirrors.reconcile(pod, undefined);
  const mirror = await client.get(REF);
  const hash = pod.metadata.annotations?.['kubernetes.io/config.hash'];
  expect(mirror?.metadata.annotations).toMatchObject({
    'kubernetes.io/config.mirror': hash,
    'kubernetes.io/config.hash': hash,
    'kubernetes.io/config.source': 'file',
  });
  expect(mirror?.metadata.ownerReferences).toMatchObject([{ kind: 'Node', name: 'n1', controller: true }]);
  await mirrors.reconcile(pod, undefined);
  expect((await client.get(REF))?.metadata.uid).toBe(mirror?.metadata.uid);
});

test('creates no mirror without a Node', async () => {
  await mirrors.reconcile(staticPod(), undefined);
  expect(await client.get(REF)).toBeUndefined();
});

test('replaces a mirror with another text', async () => {
  await registered();
  await mirrors.reconcile(staticPod(), undefined);
  const before = await client.get(REF);
  await mirrors.reconcile(staticPod('nginx:2'), before);
  const after = await client.get(REF);
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  expect(after?.spec.containers?.[0]?.image).toBe('nginx:2');
});

test('does not delete a mirror that was replaced under the same name', async () => {
  await registered();
  await mirrors.reconcile(staticPod(), undefined);
  const mirror = await client.get(REF);
  if (mirror === undefined) throw new Error('there is no mirror');
  const gone = { ...mirror, metadata: { ...mirror.metadata, uid: 'gone' } };
  expect(await mirrors.delete(gone)).toBe(false);
  expect(await mirrors.delete(mirror)).toBe(true);
});

test('finds the mirror of a pod, and the pod of a mirror', () => {
  const manager = new PodManager();
  const pod = staticPod();
  const { uid = '' } = pod.metadata;
  manager.updatePod(pod);
  expect(manager.apiUid(uid)).toBeUndefined();
  const annotations = { 'kubernetes.io/config.mirror': uid };
  const mirror: Pod = { ...pod, metadata: { ...pod.metadata, uid: 'mirror', annotations } };
  manager.updatePod(mirror);
  expect([manager.apiUid(uid), manager.translateUid('mirror'), manager.translateUid('other')]).toEqual([
    'mirror',
    uid,
    'other',
  ]);
  expect(manager.podAndMirror(mirror)).toEqual({ pod, mirrorPod: mirror, wasMirror: true });
  expect(manager.pods()).toEqual([pod]);
  manager.removePod(pod);
  expect(manager.orphanedMirrorPods()).toEqual([mirror]);
});
