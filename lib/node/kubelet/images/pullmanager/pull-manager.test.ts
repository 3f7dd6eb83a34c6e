import { beforeEach, describe, expect, test } from 'vitest';
import { StepClock } from '../../testing/step-clock.ts';
import { anImage } from '../testing/fake-images.ts';
import { MemoryFiles } from '../testing/memory-files.ts';
import { filePullRecords } from './file-pull-records.ts';
import { type VerificationPolicy, verificationPolicy } from './policy.ts';
import { PullManager } from './pull-manager.ts';
import type { ImagePullSecret, ImagePullServiceAccount } from './records.ts';

const IMAGE = 'r.io/app:1';
const REF = 'sha256:1';

let files: MemoryFiles;
let clock: StepClock;
let faults: unknown[];
beforeEach(() => {
  files = new MemoryFiles();
  clock = new StepClock();
  faults = [];
});

const manager = (policy: VerificationPolicy = 'NeverVerifyPreloadedImages', allowlist: string[] = []): PullManager =>
  new PullManager({
    records: filePullRecords(files),
    requiresVerification: verificationPolicy(policy, allowlist),
    clock,
    onFault: (fault) => faults.push(fault),
  });

const aSecret = (name: string, credentialHash: string): ImagePullSecret => ({
  uid: `uid-${name}`,
  namespace: 'default',
  name,
  credentialHash,
});
const mustPull = (pulls: PullManager, ...secrets: ImagePullSecret[]): Promise<boolean> =>
  pulls.mustAttemptImagePull(IMAGE, REF, async () => ({ secrets }));
const pull = async (pulls: PullManager, ...kubernetesSecrets: ImagePullSecret[]): Promise<void> => {
  await pulls.recordPullIntent(IMAGE);
  await pulls.recordImagePulled(
    IMAGE,
    REF,
    kubernetesSecrets.length > 0 ? { kubernetesSecrets } : { nodePodsAccessible: true },
  );
};
const names = (): string[] => [...files.held.keys()].map((path) => path.split('/')[1] ?? '');

describe('images on the node', () => {
  test.each<[VerificationPolicy, preloaded: boolean, pulledWithSecret: boolean]>([
    ['NeverVerify', false, false],
    ['NeverVerifyPreloadedImages', false, true],
    ['AlwaysVerify', true, true],
  ])(
    'requires a pull with %s of a preloaded image: %s, of one pulled with a secret: %s',
    async (policy, preloaded, pulledWithSecret) => {
      expect(await mustPull(manager(policy))).toBe(preloaded);
      await pull(manager(policy), aSecret('a', 'h'));
      expect(await mustPull(manager(policy))).toBe(pulledWithSecret);
      expect(await mustPull(manager(policy), aSecret('a', 'h'))).toBe(false);
    },
  );

  test.each([
    ['r.io/app', false],
    ['r.io/*', false],
    ['r.io/ap', true],
    ['other.io/*', true],
  ])('requires a pull with NeverVerifyAllowlistedImages and the allowlist %s: %s', async (pattern, must) => {
    expect(await mustPull(manager('NeverVerifyAllowlistedImages', [pattern]))).toBe(must);
  });

  test('requires a pull while the image is being pulled and after a crash during a pull', async () => {
    const pulls = manager();
    await pulls.recordPullIntent(IMAGE);
    expect(await mustPull(pulls)).toBe(true);
    expect(await mustPull(manager())).toBe(true);
    await pulls.recordImagePullFailed(IMAGE);
    expect(await mustPull(pulls)).toBe(false);
  });

  test('requires a pull if the record cannot be decoded', async () => {
    const pulls = manager();
    await pull(pulls);
    for (const path of files.held.keys()) files.held.set(path, '{');
    expect(await mustPull(pulls)).toBe(true);
    expect(faults).toHaveLength(1);
  });
});

test.each([
  [' r.io/a', 'leading/trailing spaces are not allowed:  r.io/a'],
  ['', 'the supplied pattern is too short: '],
  ['r.io/*/a', "not a valid wildcard pattern, only patterns ending with '/*' are allowed: r.io/*/a"],
  ['/*', 'at least registry hostname is required'],
  ['r.io/a:1', 'neither tag nor digest is accepted in an image reference: r.io/a:1'],
  ['R.io/A', 'failed to parse as an image name: repository name must be lowercase'],
])('rejects "%s" in the allowlist: %s', (pattern, why) => {
  expect(() => verificationPolicy('NeverVerifyAllowlistedImages', [pattern])).toThrow(why);
});

test('writes records in upstream’s file format', async () => {
  await pull(manager(), aSecret('a', 'h'));
  expect([...files.held]).toEqual([
    [
      // The SHA-256 of the image's id.
      'image_manager/pulled/sha256-51ae7fa00c92525c319404a3a6d400e52ff9372c5a39cb415e0486fe425f3165',
      expect.any(String),
    ],
  ]);
  expect(JSON.parse([...files.held.values()][0] ?? '')).toEqual({
    kind: 'ImagePulledRecord',
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    lastUpdatedTime: '2026-01-01T00:00:00Z',
    imageRef: REF,
    credentialMapping: { 'r.io/app': { kubernetesSecrets: [aSecret('a', 'h')] } },
  });
});

test('collects secrets in a record, until every pod may use the image', async () => {
  const pulls = manager();
  const secrets = async () => (await filePullRecords(files).readRecord(REF))?.credentialMapping.get('r.io/app');
  await pull(pulls, aSecret('b', '1'));
  await pull(pulls, aSecret('a', '2'));
  await pull(pulls, aSecret('b', '3'));
  expect(await secrets()).toEqual({ kubernetesSecrets: [aSecret('a', '2'), aSecret('b', '3')] });
  expect(await mustPull(pulls, aSecret('c', '2'))).toBe(false);
  expect((await secrets())?.kubernetesSecrets).toHaveLength(3);
  await pull(pulls);
  await pull(pulls, aSecret('d', '4'));
  expect(await secrets()).toEqual({ nodePodsAccessible: true });
});

test('collects service accounts next to secrets, and accepts any of them', async () => {
  const pulls = manager();
  const anAccount = (name: string) => ({ uid: `uid-${name}`, namespace: 'default', name });
  await pull(pulls, aSecret('a', 'h'));
  for (const name of ['c', 'b', 'c'])
    await pulls.recordImagePulled(IMAGE, REF, { kubernetesServiceAccounts: [anAccount(name)] });
  const record = await filePullRecords(files).readRecord(REF);
  expect(record?.credentialMapping.get('r.io/app')).toEqual({
    kubernetesSecrets: [aSecret('a', 'h')],
    kubernetesServiceAccounts: [anAccount('b'), anAccount('c')],
  });
  const must = (serviceAccount: ImagePullServiceAccount): Promise<boolean> =>
    pulls.mustAttemptImagePull(IMAGE, REF, async () => ({ secrets: [], serviceAccount }));
  expect([await must(anAccount('b')), await must(anAccount('d'))]).toEqual([false, true]);
  expect(await must({ ...anAccount('b'), uid: 'made again' })).toBe(true);
});

test('adds no matching secret to a record of a hundred, and does not accept a changed secret', async () => {
  const pulls = manager();
  await pull(pulls, ...Array.from({ length: 100 }, (_, index) => aSecret(`s${index}`, `h${index}`)));
  expect(await mustPull(pulls, aSecret('other', 'h7'))).toBe(false);
  expect(await mustPull(pulls, aSecret('s7', 'changed'))).toBe(true);
  const record = await filePullRecords(files).readRecord(REF);
  expect(record?.credentialMapping.get('r.io/app')?.kubernetesSecrets).toHaveLength(100);
});

test('ends the intent with the last of several pulls of an image', async () => {
  const pulls = manager();
  await pulls.recordPullIntent(IMAGE);
  await pulls.recordPullIntent(IMAGE);
  await pulls.recordImagePullFailed(IMAGE);
  expect(names()).toEqual(['pulling']);
  await pulls.recordImagePulled(IMAGE, REF, { nodePodsAccessible: true });
  expect(names()).toEqual(['pulled']);
});

test('converts an intent left by a crash to a record without credentials if the image exists', async () => {
  await manager().recordPullIntent(IMAGE);
  await manager().recordPullIntent('r.io/gone:1');
  const restarted = manager();
  await restarted.initialize(async () => [anImage(REF, { repoTags: [IMAGE] })]);
  expect(names().sort()).toEqual(['pulled', 'pulling']);
  expect(await mustPull(restarted, aSecret('a', 'h'))).toBe(true);
});

test('prunes the records of removed images, but no later records', async () => {
  const pulls = manager();
  await pull(pulls);
  const before = clock.now();
  await pulls.pruneUnknownRecords([], before);
  expect(names()).toEqual(['pulled']);
  await clock.sleep(1000);
  await pulls.pruneUnknownRecords([REF], clock.now());
  expect(names()).toEqual(['pulled']);
  await pulls.pruneUnknownRecords([], clock.now());
  expect(names()).toEqual([]);
  expect(faults).toEqual([]);
});
