import { beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionEnd } from '#lib/machinery/execution.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { expose } from '#lib/machinery/metrics/text.ts';
import { StepClock } from '#lib/node/kubelet/testing/step-clock.ts';
import type { Keyring } from '../keyring.ts';
import type { CredentialProvider } from './config.ts';
import type { PluginExecution } from './exec-plugin.ts';
import { CredentialProviderMetrics } from './metrics.ts';
import { credentialProviders } from './plugins.ts';
import type { PullingPod, TokenWanted } from './service-account.ts';

const V1 = 'credentialprovider.kubelet.k8s.io/v1';
const MINUTE = 60_000;
const IMAGE = 'r.io/team/app';

let clock: StepClock;
let metrics: CredentialProviderMetrics;
let runs: PluginExecution[];
let faults: string[];
let answer: (execution: PluginExecution) => ExecutionEnd | Promise<ExecutionEnd>;
let tokens: TokenWanted[];
let annotations: Record<string, string>;
let token: string;

const response = (fields: JsonObject = {}): ExecutionEnd => ({
  stdout: Buffer.from(
    JSON.stringify({
      apiVersion: V1,
      kind: 'CredentialProviderResponse',
      cacheKeyType: 'Image',
      auth: { 'r.io': { username: `user-${runs.length}`, password: 'p' } },
      ...fields,
    }),
  ),
  stderr: '',
});

beforeEach(() => {
  clock = new StepClock();
  metrics = new CredentialProviderMetrics('sha256:1');
  [runs, faults, tokens, annotations] = [[], [], [], { 'a/b': 'c', 'd/e': 'f' }];
  token = 'token-1';
  answer = () => response();
});

const provider = (change: Partial<CredentialProvider> = {}): CredentialProvider => ({
  name: 'plugin',
  matchImages: ['r.io', '*.r.io:5000/team'],
  defaultCacheDuration: 600_000_000_000n,
  apiVersion: V1,
  args: ['--v=5'],
  env: [{ name: 'FOO', value: 'BAR' }],
  ...change,
});
const POD: PullingPod = { namespace: 'ns', name: 'pod', uid: 'pod-uid', serviceAccountName: 'robot' };

const keyrings = (...providers: CredentialProvider[]): ((pod: PullingPod) => Keyring) =>
  credentialProviders(
    { providers },
    {
      clock,
      metrics,
      run: async (execution) => {
        runs.push(execution);
        return answer(execution);
      },
      accounts: {
        get: async (namespace, name) => ({ metadata: { namespace, name, uid: `uid-${name}`, annotations } }),
        token: async (wanted) => {
          tokens.push(wanted);
          return token;
        },
      },
      onFault: (plugin, image, error) => void faults.push(`${plugin} ${image} ${String(error)}`),
    },
  );

/** Looks up images sequentially in a pod's keyring. Returns the user names. */
async function users(keyring: Keyring, ...images: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const image of images) found.push(...(await keyring.lookup(image)).map(({ username }) => username));
  return found;
}

test('passes the image to a plugin on standard input, with its arguments and variables', async () => {
  expect(await users(keyrings(provider())(POD), IMAGE)).toEqual(['user-1']);
  expect(runs).toEqual([
    {
      name: 'plugin',
      args: ['--v=5'],
      env: [{ name: 'FOO', value: 'BAR' }],
      stdin: `{"kind":"CredentialProviderRequest","apiVersion":"${V1}","image":"${IMAGE}"}\n`,
      timeout: MINUTE,
    },
  ]);
});

test.each([
  ['r.io/app', true],
  ['r.io', true],
  ['a.r.io/app', false],
  ['a.r.io:5000/team/app', true],
  ['a.r.io:5000/other', false],
  ['r.io:5000/team', false],
  ['r.io.evil.com/app', false],
  ['nginx', false],
])('checks whether a plugin for r.io and *.r.io:5000/team is called for %s: %s', async (image, isAsked) => {
  await users(keyrings(provider())(POD), image);
  expect(runs.length).toBe(isAsked ? 1 : 0);
});

test('calls all matching plugins in the order of the configuration', async () => {
  answer = ({ name }) => response({ auth: { 'r.io': { username: name, password: 'p' } } });
  const keyring = keyrings(provider({ name: 'a' }), provider({ name: 'b' }))(POD);
  expect(await users(keyring, IMAGE)).toEqual(['a', 'b']);
});

describe('the credential cache', () => {
  test.each([
    ['Image', [1, 2, 3, 1]],
    ['Registry', [1, 1, 2, 1]],
    ['Global', [1, 1, 1, 1]],
  ])('uses the key type %s', async (cacheKeyType, expected) => {
    answer = () => response({ cacheKeyType, auth: { '*.io': { username: `user-${runs.length}`, password: 'p' } } });
    const keyring = keyrings(provider({ matchImages: ['*.io'] }))(POD);
    const found = await users(keyring, 'r.io/a', 'r.io/b', 's.io/a', 'r.io/a');
    expect(found).toEqual(expected.map((run) => `user-${run}`));
  });

  test.each<[said: string, fields: JsonObject, fallback: bigint, kept: number]>([
    ['as long as the plugin says', { cacheDuration: '2m' }, 60_000_000_000n, 2 * MINUTE],
    ['as long as the configuration says otherwise', {}, 60_000_000_000n, MINUTE],
    ['not at all for 0', { cacheDuration: '0s' }, 60_000_000_000n, -1],
    ['not at all without either', {}, 0n, -1],
  ])('keeps credentials %s', async (_, fields, defaultCacheDuration, kept) => {
    answer = () => response(fields);
    const keyring = keyrings(provider({ defaultCacheDuration }))(POD);
    await users(keyring, IMAGE, IMAGE);
    expect(runs.length).toBe(kept < 0 ? 2 : 1);
    if (kept < 0) return;
    await clock.sleep(kept);
    await users(keyring, IMAGE);
    expect(runs.length).toBe(1);
    await clock.sleep(1);
    await users(keyring, IMAGE);
    expect(runs.length).toBe(2);
  });

  test('removes expired credentials after a while without another request', async () => {
    answer = () => response({ cacheDuration: '1m' });
    const keyring = keyrings(provider())(POD);
    await users(keyring, 'r.io/a');
    await clock.sleep(16 * MINUTE);
    expect(await users(keyring, 'r.io/b', 'r.io/a')).toEqual(['user-2', 'user-3']);
  });
});

test('shares one run between concurrent requests for an image', async () => {
  const keyring = keyrings(provider({ defaultCacheDuration: 0n }))(POD);
  const all = await Promise.all([keyring.lookup(IMAGE), keyring.lookup(IMAGE), keyring.lookup('r.io/other')]);
  expect(all.map(([one]) => one?.password)).toEqual(['p', 'p', 'p']);
  expect(runs.length).toBe(2);
  await keyring.lookup(IMAGE);
  expect(runs.length).toBe(3);
});

describe('a pull without credentials after an error', () => {
  const FAILED = 'failed to get credential from external registry credential provider: ';
  const ended = (stdout: string, failure?: string): ExecutionEnd => ({
    stdout: Buffer.from(stdout),
    stderr: 'it said why',
    ...(failure !== undefined && { failure }),
  });
  test.each<[why: string, end: () => ExecutionEnd, message: string]>([
    [
      'a plugin that fails',
      () => ended('', 'exit status 1'),
      `${FAILED}error execing credential provider plugin plugin for image ${IMAGE}: exit status 1: it said why`,
    ],
    [
      'a plugin without an answer',
      () => ended(''),
      `${FAILED}error reading GVK from response: couldn't get version/kind; json parse error: unexpected end of JSON input`,
    ],
    [
      'an answer of another version',
      () => response({ apiVersion: `${V1}beta1` }),
      `${FAILED}apiVersion from credential plugin response did not match expected apiVersion:${V1}, actual apiVersion:${V1}beta1`,
    ],
    [
      'an answer of another kind',
      () => response({ kind: 'CredentialProviderRequest' }),
      `${FAILED}error decoding credential provider plugin response from stdout`,
    ],
    [
      'an answer with an unknown field',
      () => response({ secret: 'p' }),
      `${FAILED}error decoding credential provider plugin response from stdout`,
    ],
    [
      'an answer that is not kept by a known key',
      () => response({ cacheKeyType: 'Pod' }),
      'credential provider plugin did not return a valid cacheKeyType: Pod',
    ],
  ])('logs %s', async (_, end, message) => {
    answer = end;
    expect(await users(keyrings(provider())(POD), IMAGE)).toEqual([]);
    expect(faults).toEqual([`plugin ${IMAGE} Error: ${message}`]);
  });

  test('does not cache the failure', async () => {
    const keyring = keyrings(provider())(POD);
    answer = () => ended('', 'context deadline exceeded');
    await users(keyring, IMAGE);
    answer = () => response();
    expect(await users(keyring, IMAGE)).toEqual(['user-2']);
  });
});

describe('a plugin that uses service account tokens', () => {
  const withTokens = (change: Partial<NonNullable<CredentialProvider['tokenAttributes']>> = {}): CredentialProvider =>
    provider({
      tokenAttributes: {
        serviceAccountTokenAudience: 'registry',
        cacheType: 'ServiceAccount',
        requireServiceAccount: true,
        requiredServiceAccountAnnotationKeys: ['a/b'],
        optionalServiceAccountAnnotationKeys: ['d/e', 'x/y'],
        ...change,
      },
    });

  test('gets the token, bound to the pod, and the requested annotations', async () => {
    const [credential] = await keyrings(withTokens())(POD).lookup(IMAGE);
    expect(tokens).toEqual([{ audience: 'registry', pod: POD, serviceAccountUid: 'uid-robot' }]);
    expect(JSON.parse(runs[0]?.stdin ?? '')).toMatchObject({
      serviceAccountToken: 'token-1',
      serviceAccountAnnotations: { 'a/b': 'c', 'd/e': 'f' },
    });
    expect(credential?.serviceAccount).toEqual({ uid: 'uid-robot', namespace: 'ns', name: 'robot' });
  });

  test('does not run for a service account without a required annotation', async () => {
    annotations = {};
    expect(await users(keyrings(withTokens())(POD), IMAGE)).toEqual([]);
    expect([runs, faults, tokens]).toEqual([[], [], []]);
  });

  test.each([
    [true, 0],
    [false, 1],
  ])('handles a pod without a service account if one is required: %s', async (requireServiceAccount, expected) => {
    const plugin = withTokens({ requireServiceAccount, requiredServiceAccountAnnotationKeys: [] });
    const found = await keyrings(plugin)({ ...POD, serviceAccountName: '' }).lookup(IMAGE);
    expect([runs.length, tokens.length, found.length]).toEqual([expected, 0, expected]);
    expect(found[0]?.serviceAccount).toBe(undefined);
  });

  test.each<[cacheType: string, another: () => PullingPod, runs: number]>([
    ['ServiceAccount', () => ({ ...POD, name: 'other', uid: 'other' }), 1],
    ['ServiceAccount', () => ({ ...POD, serviceAccountName: 'other' }), 2],
    ['ServiceAccount', () => ({ ...POD, namespace: 'other' }), 2],
    ['Token', () => POD, 1],
    [
      'Token',
      () => {
        token = 'token-2';
        return { ...POD, name: 'other', uid: 'other' };
      },
      2,
    ],
    [
      'ServiceAccount',
      () => {
        annotations = { 'a/b': 'changed' };
        return POD;
      },
      2,
    ],
  ])('caches credentials by the cache type %s', async (cacheType, another, expected) => {
    const of = keyrings(withTokens({ cacheType }));
    await of(POD).lookup(IMAGE);
    await of(another()).lookup(IMAGE);
    expect(runs.length).toBe(expected);
  });

  test.each([
    ['ServiceAccount', 0],
    ['Token', 1],
  ])('may return the token as the password only with the cache type Token: %s', async (cacheType, expected) => {
    answer = () => response({ auth: { 'r.io': { username: 'u', password: token } } });
    expect((await users(keyrings(withTokens({ cacheType }))(POD), IMAGE)).length).toBe(expected);
    expect(faults.join()).not.toContain(token);
    expect(faults.length).toBe(1 - expected);
  });
});

test('counts runs and failures in metrics with upstream’s names', async () => {
  answer = async () => {
    await clock.sleep(300);
    return { stdout: Buffer.of(), stderr: '', failure: 'exit status 1' };
  };
  await users(keyrings(provider())(POD), IMAGE);
  const text = await expose([metrics]);
  expect(text).toContain('kubelet_credential_provider_plugin_errors_total{plugin_name="plugin"} 1');
  expect(text).toContain('kubelet_credential_provider_plugin_duration_sum{plugin_name="plugin"} 0.3');
  expect(text).toContain('kubelet_credential_provider_config_info{hash="sha256:1"} 1');
});
