import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aPod } from '../testing/pods.ts';
import { StepClock } from '../testing/step-clock.ts';
import { runFileSource } from './file.ts';
import { PodConfig } from './pod-config.ts';
import { SourcesReady } from './sources-ready.ts';
import { staticPodOf } from './static-pod.ts';

/** A PodConfig whose updates are recorded as `ADD a,b`. */
function config() {
  const told: string[] = [];
  const events: string[] = [];
  const pods: Pod[] = [];
  const podConfig = new PodConfig({
    clock: new ManualClock(Date.parse('2026-01-01T00:00:00.250Z')),
    recorder: { event: (_, _type, reason) => void events.push(reason) },
    deliver(update) {
      told.push(`${update.op} ${update.pods.map(({ metadata }) => metadata.name).join()}`.trim());
      pods.push(...update.pods);
    },
  });
  return { podConfig, told, events, pods };
}

const changed = (pod: Pod, metadata: Partial<Pod['metadata']>): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, ...metadata },
});

test('delivers additions, changes and removals of a source', () => {
  const { podConfig, told } = config();
  const [a, b] = [aPod('a'), aPod('b')];
  podConfig.set('api', [a, b]);
  podConfig.set('api', [changed(a, { labels: { x: 'y' } }), b]);
  podConfig.set('api', [changed(a, { labels: { x: 'y' } }), b]);
  podConfig.set('api', [changed(a, { deletionTimestamp: '2026-01-01T00:00:00Z', labels: { x: 'y' } })]);
  expect(told).toEqual(['ADD a,b', 'UPDATE a', 'REMOVE b', 'DELETE a']);
});

test('delivers a change of only the status as RECONCILE', () => {
  const { podConfig, told } = config();
  podConfig.set('api', [aPod('a')]);
  podConfig.set('api', [aPod('a', { status: { phase: 'Running' } })]);
  expect(told).toEqual(['ADD a', 'RECONCILE a']);
});

test('delivers an empty update for a source without pods, so that it counts as ready', () => {
  const { podConfig, told } = config();
  podConfig.set('file', []);
  podConfig.set('file', []);
  expect(told).toEqual(['ADD']);
});

test('replaces a pod with another uid and the same name', () => {
  const { podConfig, told, pods } = config();
  podConfig.set('api', [aPod('a')]);
  podConfig.set('api', [aPod('a', { metadata: { uid: 'other' } })]);
  expect(told).toEqual(['ADD a', 'REMOVE a', 'ADD a']);
  expect(pods.map(({ metadata }) => metadata.uid)).toEqual(['uid-a', 'uid-a', 'other']);
});

test('delivers two pods with the same uid and different names, like upstream', () => {
  const { podConfig, told, events } = config();
  podConfig.set('file', [aPod('a'), aPod('b', { metadata: { uid: 'uid-a' } })]);
  podConfig.set('file', []);
  expect([told, events]).toEqual([['ADD a,b', 'REMOVE b'], []]);
});

test('annotates a pod with its source and the time when it was first seen', () => {
  const { podConfig, pods } = config();
  podConfig.set('api', [aPod('a')]);
  expect(pods[0]?.metadata.annotations).toEqual({
    'kubernetes.io/config.source': 'api',
    'kubernetes.io/config.seen': '2026-01-01T00:00:00.25Z',
  });
});

test('keeps the first of several pods with the same name', () => {
  const { podConfig, told, events } = config();
  podConfig.set('file', [aPod('a'), aPod('a', { metadata: { uid: 'other' } })]);
  expect([told, events]).toEqual([['ADD a'], ['FailedValidation']]);
});

test('reports sources as ready after each has delivered its pods', () => {
  const ready = new SourcesReady(['file', 'api']);
  ready.add('file');
  expect(ready.areAllReady).toBe(false);
  ready.add('api');
  expect(ready.areAllReady).toBe(true);
});

const MANIFEST = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: nginx}]}\n';
const ORIGIN = { file: '/etc/kubernetes/manifests/web.yaml', node: 'n1' };

test('creates a static pod named after its node, with tolerations, defaults and a uid derived from its text', () => {
  const pod = staticPodOf(Buffer.from(MANIFEST), ORIGIN);
  const { uid = '' } = pod.metadata;
  expect(pod.metadata).toMatchObject({
    name: 'web-n1',
    namespace: 'default',
    annotations: { 'kubernetes.io/config.hash': uid },
  });
  expect(uid).toMatch(/^[0-9a-f]{32}$/);
  expect(pod.spec).toMatchObject({
    nodeName: 'n1',
    restartPolicy: 'Always',
    tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
    containers: [{ name: 'app', imagePullPolicy: 'Always', terminationMessagePath: '/dev/termination-log' }],
  });
  expect(staticPodOf(Buffer.from(MANIFEST), ORIGIN).metadata.uid).toBe(uid);
  expect(staticPodOf(Buffer.from(`${MANIFEST}# changed\n`), ORIGIN).metadata.uid).toBe(uid);
  expect(staticPodOf(Buffer.from(MANIFEST.replace('nginx', 'nginx:2')), ORIGIN).metadata.uid).not.toBe(uid);
});

test.each([
  ['kind: Service\napiVersion: v1\n', 'invalid pod: it is of kind v1 Service'],
  [
    'kind: Pod\napiVersion: v1\nspec: {containers: [{name: app, image: a}]}\n',
    'invalid pod: name is needed for the pod',
  ],
  [MANIFEST.replace('spec: {', 'spec: {serviceAccountName: sa, '), 'static pods may not reference serviceaccounts'],
  [MANIFEST.replace('spec: {', 'spec: {imagePullSecrets: [{name: s}], '), 'static pods may not reference secrets'],
  [
    MANIFEST.replace('spec: {', 'spec: {volumes: [{name: v, persistentVolumeClaim: {claimName: c}}], '),
    'static pods may not reference persistentvolumeclaims',
  ],
  [MANIFEST.replace('name: web', 'name: web, uid: ../../etc'), 'invalid pod: its uid "../../etc" is no file name'],
  [MANIFEST.replace('name: web', 'name: web, uid: ..'), 'invalid pod: its uid ".." is no file name'],
  [MANIFEST.replace('name: web', 'name: ../web'), 'invalid pod: metadata.name: Invalid value: "../web-n1"'],
  [
    MANIFEST.replace('name: web', 'name: web, namespace: ../x'),
    'invalid pod: metadata.namespace: Invalid value: "../x"',
  ],
  [MANIFEST.replace('name: app', 'name: App'), 'invalid pod: spec.containers[0].name: Invalid value: "App"'],
])('rejects the manifest %j', (manifest, message) => {
  expect(() => staticPodOf(Buffer.from(manifest), ORIGIN)).toThrow(message);
});

test('reads the static pod directory on each scan, and skips unreadable files', async () => {
  const files = new Map([['a.yaml', MANIFEST]]);
  const told: string[] = [];
  const faults: (string | undefined)[] = [];
  const ending = new AbortController();
  const clock = new StepClock((count) => {
    if (count === 2) files.set('b.yaml', 'no pod').set('c.yaml', MANIFEST.replace('web', 'c'));
    if (count === 3) ending.abort();
  });
  await runFileSource(
    {
      node: 'n1',
      manifests: async () => [...files].map(([path, text]) => ({ path, read: async () => Buffer.from(text) })),
      clock,
      frequency: 20_000,
      set: (pods) => void told.push(pods.map(({ metadata }) => metadata.name).join()),
      onFault: (path) => void faults.push(path),
    },
    ending.signal,
  );
  expect([told, faults]).toEqual([['web-n1', 'web-n1,c-n1'], ['b.yaml']]);
});

test('removes no pod if the directory is unreadable', async () => {
  const told: number[] = [];
  const ending = new AbortController();
  let isBroken = false;
  await runFileSource(
    {
      node: 'n1',
      manifests: () =>
        isBroken
          ? Promise.reject(new Error('EIO'))
          : Promise.resolve([{ path: 'a', read: async () => Buffer.from(MANIFEST) }]),
      clock: new StepClock((count) => {
        isBroken = true;
        if (count === 2) ending.abort();
      }),
      frequency: 20_000,
      set: (pods) => void told.push(pods.length),
      onFault: () => undefined,
    },
    ending.signal,
  );
  expect(told).toEqual([1]);
});
