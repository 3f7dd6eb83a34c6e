import { beforeEach, describe, expect, test } from 'vitest';
import type { Pod, Secret } from '#lib/api/types/core.v1.ts';
import { aPod } from '#lib/node/volume/testing/memory-host.ts';
import { StepClock } from '../../testing/step-clock.ts';
import { objectTTL, ReferencedObjects } from './referenced-objects.ts';

let clock: StepClock;
let server: Map<string, Secret>;
let requests: string[];
let failure: string | undefined;
let ttl: number | undefined;
let objects: ReferencedObjects<Secret>;

beforeEach(() => {
  clock = new StepClock();
  [server, requests, failure, ttl] = [new Map(), [], undefined, undefined];
  objects = new ReferencedObjects<Secret>({
    clock,
    names: ({ spec }) => (spec.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
    ttl: () => ttl,
    get: async (namespace, name, cached) => {
      requests.push(cached ? `${namespace}/${name} cached` : `${namespace}/${name}`);
      if (failure !== undefined) throw new Error(failure);
      return server.get(`${namespace}/${name}`);
    },
  });
});

const put = (name: string, resourceVersion: string): void => {
  server.set(`ns/${name}`, { metadata: { name, namespace: 'ns', resourceVersion } });
};
const pod = (uid: string, ...secrets: readonly string[]): Pod =>
  aPod({ uid, volumes: secrets.map((secretName) => ({ name: secretName, secret: { secretName } })) });
const versionOf = async (name: string): Promise<string | undefined> =>
  (await objects.get('ns', name))?.metadata.resourceVersion;

describe('a referenced object', () => {
  test('rejects an object that no pod refers to', async () => {
    await expect(objects.get('ns', 'a')).rejects.toThrow(new Error('object "ns"/"a" not registered'));
    objects.registerPod(pod('u1', 'a'));
    objects.unregisterPod(pod('u1', 'a'));
    await expect(objects.get('ns', 'a')).rejects.toThrow('not registered');
    expect(requests).toEqual([]);
  });

  test('reads an object again after another version is reported, and not before', async () => {
    put('a', '1');
    objects.registerPod(pod('u1', 'a'));
    await objects.get('ns', 'a');
    objects.outdate({ 'ns/a': '1', 'ns/other': '9' });
    await objects.get('ns', 'a');
    expect(requests).toEqual(['ns/a']);
    put('a', '2');
    objects.outdate({ 'ns/a': '2' });
    expect(await versionOf('a')).toBe('2');
    expect(requests).toEqual(['ns/a', 'ns/a cached']);
  });

  test.each([
    ['a minute', undefined, 60_000],
    ["the time in the Node's annotation", 15_000, 15_000],
  ])('caches an object for %s', async (_, given, life) => {
    ttl = given;
    put('a', '1');
    objects.registerPod(pod('u1', 'a'));
    await objects.get('ns', 'a');
    await clock.sleep(life - 1);
    await objects.get('ns', 'a');
    expect(requests).toEqual(['ns/a']);
    await clock.sleep(1);
    put('a', '2');
    expect(await versionOf('a')).toBe('2');
    expect(requests).toEqual(['ns/a', 'ns/a cached']);
  });

  test('reads an object again for a new pod, but not for one that registers again', async () => {
    put('a', '1');
    for (const uid of ['u1', 'u1', 'u2']) {
      objects.registerPod(pod(uid, 'a'));
      await objects.get('ns', 'a');
    }
    expect(requests).toEqual(['ns/a', 'ns/a']);
  });

  test('keeps an object while one of its pods exists', async () => {
    put('a', '1');
    for (const uid of ['u1', 'u2']) objects.registerPod(pod(uid, 'a'));
    objects.unregisterPod(pod('u1', 'a'));
    expect(await versionOf('a')).toBe('1');
  });

  test("releases an object that a pod's new spec no longer refers to", async () => {
    objects.registerPod(pod('u1', 'a', 'b'));
    objects.registerPod(pod('u1', 'b'));
    await expect(objects.get('ns', 'a')).rejects.toThrow('not registered');
    expect(await objects.get('ns', 'b')).toBeUndefined();
  });

  test('requests a missing object each time and forgets a deleted one', async () => {
    objects.registerPod(pod('u1', 'a'));
    expect(await objects.get('ns', 'a')).toBeUndefined();
    put('a', '1');
    expect(await versionOf('a')).toBe('1');
    server.clear();
    await clock.sleep(60_000);
    expect(await objects.get('ns', 'a')).toBeUndefined();
  });

  test('returns a known object while the server fails', async () => {
    objects.registerPod(pod('u1', 'a'));
    failure = 'connection refused';
    await expect(objects.get('ns', 'a')).rejects.toThrow('connection refused');
    failure = undefined;
    put('a', '1');
    await objects.get('ns', 'a');
    failure = 'connection refused';
    await clock.sleep(60_000);
    expect(await versionOf('a')).toBe('1');
  });

  test('ignores an older object', async () => {
    put('a', '10');
    objects.registerPod(pod('u1', 'a'));
    await objects.get('ns', 'a');
    await clock.sleep(60_000);
    put('a', '9');
    expect(await versionOf('a')).toBe('10');
  });

  test('shares a request between concurrent readers', async () => {
    put('a', '1');
    objects.registerPod(pod('u1', 'a'));
    await Promise.all([objects.get('ns', 'a'), objects.get('ns', 'a')]);
    expect(requests).toEqual(['ns/a']);
  });
});

describe('the TTL annotation', () => {
  test.each([
    [undefined, undefined],
    ['30', 30_000],
    ['0', 0],
    ['soon', undefined],
  ])('parses the annotation %j as %j', (value, expected) => {
    expect(objectTTL(value === undefined ? {} : { 'node.alpha.kubernetes.io/ttl': value })).toBe(expected);
  });
});
