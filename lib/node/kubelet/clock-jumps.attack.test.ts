import { describe, expect, test } from 'vitest';
import type { Secret } from '#lib/api/types/core.v1.ts';
import { CERTIFICATE_SIGNING_REQUESTS, LEASES, NODES } from '#lib/api/types/resources.ts';
import { clientset } from '#lib/client/clientset.ts';
import { authorityOf } from '#lib/controllers/certificates/issue.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { BasicKeyring } from '#lib/node/credentialprovider/keyring.ts';
import { PodSandboxConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';
import { rotateCertificates } from './certificate/client-certificate.ts';
import { newKey } from './certificate/request.ts';
import { newImageManager } from './images/ensure-image-exists.ts';
import { filePullRecords } from './images/pullmanager/file-pull-records.ts';
import { verificationPolicy } from './images/pullmanager/policy.ts';
import { PullManager } from './images/pullmanager/pull-manager.ts';
import { FakeImages } from './images/testing/fake-images.ts';
import { MemoryFiles } from './images/testing/memory-files.ts';
import { runNodeLease } from './nodelease.ts';
import { aPod } from './testing/pods.ts';
import { StepClock } from './testing/step-clock.ts';
import { ServiceAccountTokens } from './token/service-account-tokens.ts';
import { ReferencedObjects } from './util/manager/referenced-objects.ts';

const [SECOND, HOUR, DAY] = [1000, 3_600_000, 24 * 3_600_000];

describe('a clock that is set back by an hour', () => {
  test('does not extend the validity of Secrets and config maps beyond a minute', async () => {
    const clock = new ManualClock();
    let requests = 0;
    const get = async (): Promise<Secret> => ({ metadata: { resourceVersion: String((requests += 1)) } });
    const objects = new ReferencedObjects<Secret>({ clock, names: () => ['a'], ttl: () => undefined, get });
    objects.registerPod(aPod('p'));
    await objects.get('default', 'a');
    clock.jump(-HOUR);
    clock.advance(60 * SECOND);
    expect((await objects.get('default', 'a'))?.metadata.resourceVersion).toBe('2');
  });

  test('does not delay the pull of an image', async () => {
    const clock = new ManualClock();
    const images = new FakeImages();
    images.onPull = () => Promise.reject(new Error('the registry is away'));
    const manager = newImageManager({
      images,
      clock,
      keyring: new BasicKeyring(),
      recorder: { event: () => undefined },
      pulls: new PullManager({
        records: filePullRecords(new MemoryFiles()),
        requiresVerification: verificationPolicy('NeverVerifyPreloadedImages'),
        clock,
        onFault: () => undefined,
      }),
    });
    const pull = () =>
      manager.ensureImageExists({
        pod: aPod('p'),
        container: { name: 'app', resources: {} },
        image: 'r.io/none',
        pullPolicy: 'Always',
        pullSecrets: [],
        sandboxConfig: PodSandboxConfig.fromPartial({}),
        runtimeHandler: '',
        fieldPath: '',
      });
    await expect(pull()).rejects.toMatchObject({ reason: 'ErrImagePull' });
    clock.jump(-HOUR);
    await expect(pull()).rejects.toMatchObject({ reason: 'ImagePullBackOff' });
    clock.advance(10 * SECOND);
    await expect(pull()).rejects.toMatchObject({ reason: 'ErrImagePull' });
  });
});

test("limits certificate requests to one per half minute if the node's clock is years ahead", async () => {
  const world = new World();
  const client = clientset(world.user);
  const issued = new Date('2026-01-01T00:00:00Z');
  const { certificate } = await authorityOf(await newSigner(issued), issued).issue({ name: 'system:node:n1' });
  const ending = new AbortController();
  const rotations: number[] = [];
  const approved = { type: 'Approved', status: 'True', reason: 'x', message: 'x', lastUpdateTime: null };
  const clock = new StepClock(async () => {
    for (const { metadata } of await client.list(CERTIFICATE_SIGNING_REQUESTS)) {
      const ref = { resource: CERTIFICATE_SIGNING_REQUESTS, namespace: '', name: metadata.name ?? '' };
      await client.patch(ref, { status: { conditions: [{ ...approved, lastTransitionTime: null }] } }, 'approval');
      await client.patch(ref, { status: { certificate: Buffer.from(certificate).toString('base64') } }, 'status');
    }
  }, Date.parse('2030-01-01T00:00:00Z'));
  const start = clock.monotonic();
  let pair = { certificate, key: await newKey() };
  const store = {
    current: async () => pair,
    update: async (next: typeof pair) => void (pair = next),
    pendingKey: async () => undefined,
    keepPendingKey: async () => undefined,
  };
  const rotated = (): void => {
    rotations.push((clock.monotonic() - start) / SECOND);
    if (rotations.length === 8) ending.abort();
  };
  const onFault = (error: unknown): never => {
    throw error;
  };
  await rotateCertificates({ node: 'n1', store, clock, client, random: () => 0.5, rotated, onFault }, ending.signal);
  await world.close();
  const pauses = rotations.slice(1).map((at, i) => Math.floor(at - (rotations[i] ?? 0)));
  expect(pauses).toEqual([2, 4, 8, 16, 32, 32, 32]);
});

test.each([
  ['forward by a day', DAY],
  ['back by an hour', -HOUR],
])('renews a Lease on time while the clock is set %s', async (_, jump) => {
  const world = new World();
  const client = clientset(world.user);
  await aNamespace(world, 'kube-node-lease');
  await client.create(NODES, { metadata: { name: 'n1' }, spec: {}, status: {} });
  const ending = new AbortController();
  const clock = new StepClock(async (sleeps) => {
    if (sleeps === 2) jumped = jump;
    if (sleeps === 4) ending.abort();
  });
  let jumped = 0;
  const shifted = {
    now: () => clock.now() + jumped,
    monotonic: () => clock.monotonic(),
    sleep: (milliseconds: number) => clock.sleep(milliseconds),
  };
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  await runNodeLease({ client, clock: shifted, node: 'n1', duration: 40, random: () => 0, onFault }, ending.signal);
  expect([clock.sleeps, faults]).toEqual([[10_000, 10_000, 10_000, 10_000], []]);
  const lease = await client.get({ resource: LEASES, namespace: 'kube-node-lease', name: 'n1' });
  const renewed = Date.parse(lease?.spec.renewTime ?? '') - shifted.now();
  expect(renewed).toBe(-10_000);
  await world.close();
});

test('requests a token once per poll if the clock is a day ahead, but not if it is an hour behind', async () => {
  const clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
  const server = clock.now();
  let requests = 0;
  const tokens = new ServiceAccountTokens({
    clock,
    random: () => 0,
    log: () => undefined,
    request: async () => ({
      spec: { audiences: [], expirationSeconds: 3600n, boundObjectRef: null },
      status: { token: String((requests += 1)), expirationTimestamp: new Date(server + HOUR).toISOString() },
    }),
  });
  const spec = {
    namespace: 'default',
    serviceAccount: 'a',
    pod: aPod('p'),
    audience: '',
    expirationSeconds: undefined,
  };
  const looks = async (): Promise<number> => {
    const before = requests;
    for (let look = 0; look < 10; look++) await tokens.get(spec);
    return requests - before;
  };
  expect(await looks()).toBe(1);
  clock.jump(-HOUR);
  expect(await looks()).toBe(0);
  clock.jump(HOUR + DAY);
  expect(await looks()).toBe(10);
});
