import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { Registry } from './registry.ts';
import { TestNode } from './test-node.ts';

const AUDIENCE = 'registry.example.com';
const ANNOTATION = 'registry.example.com/identity';
const API_VERSION = 'credentialprovider.kubelet.k8s.io/v1';
let folder: string;
let registry: Registry;
let node: TestNode;

/**
 * A plugin that records its runs. It returns the login for every request. If the request has a token, it returns the login only for its
 * account.
 */
const plugin = (registryHost: string, runs: string): string => `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const { image, serviceAccountToken, serviceAccountAnnotations } = JSON.parse(readFileSync(0, 'utf8'));
const claims = serviceAccountToken && JSON.parse(Buffer.from(serviceAccountToken.split('.')[1], 'base64url'));
appendFileSync(${JSON.stringify(runs)}, [image, claims?.aud, claims?.sub, serviceAccountAnnotations?.[${JSON.stringify(ANNOTATION)}]].join(' ').trim() + '\\n');
console.log(JSON.stringify({
  apiVersion: '${API_VERSION}',
  kind: 'CredentialProviderResponse',
  cacheKeyType: 'Registry',
  cacheDuration: '1h',
  auth: { ${JSON.stringify(registryHost)}: { username: process.env.LOGIN_NAME, password: ${JSON.stringify(Registry.login.password)} } },
}));
`;

/** The runs of a plugin so far: the image, audience, account and annotation of each. */
const runsOf = (name: string): string[] => {
  const path = join(folder, `${name}.runs`);
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'davit-providers-'));
  registry = await Registry.start();
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const provider = (name: string, more: object = {}): object => {
    const path = join(programs, name);
    writeFileSync(path, plugin(registry.host, join(folder, `${name}.runs`)));
    chmodSync(path, 0o755);
    return {
      name,
      matchImages: [`${registry.host}/private/${name}`],
      defaultCacheDuration: '1m',
      apiVersion: API_VERSION,
      env: [{ name: 'LOGIN_NAME', value: Registry.login.username }],
      ...more,
    };
  };
  const tokenAttributes = {
    serviceAccountTokenAudience: AUDIENCE,
    cacheType: 'ServiceAccount',
    requireServiceAccount: true,
    requiredServiceAccountAnnotationKeys: [ANNOTATION],
  };
  const config = join(folder, 'config.json');
  const kind = { apiVersion: 'kubelet.config.k8s.io/v1', kind: 'CredentialProviderConfig' };
  writeFileSync(
    config,
    JSON.stringify({ ...kind, providers: [provider('plain'), provider('account', { tokenAttributes })] }),
  );
  node = await TestNode.start(
    '--sync-frequency=1s',
    `--image-credential-provider-config=${config}`,
    `--image-credential-provider-bin-dir=${programs}`,
  );
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const pulling = (name: string, image: string, serviceAccountName = 'default'): object =>
  aPod(name, '', {
    terminationGracePeriodSeconds: 1,
    serviceAccountName,
    containers: [shell(FOREVER, { image, imagePullPolicy: 'IfNotPresent' })],
  });

const isReady = (name: string): Promise<string> =>
  node.output('wait', '--for=condition=Ready', '--timeout=90s', `pod/${name}`);

const isRefused = (name: string): Promise<void> =>
  eventually(
    async () => {
      const path = 'jsonpath={.status.containerStatuses[0].state.waiting.reason}';
      return /^(ErrImagePull|ImagePullBackOff)$/.test((await node.kubectl('get', 'pod', name, '-o', path)).stdout);
    },
    () => `the pull of ${name} fails: ${node.log.slice(-4000)}`,
  );

test('a plugin returns the login for a private image, once per registry', async () => {
  const [first, second] = ['1', '2'].map((tag) => registry.add({ name: `private/plain/tool:${tag}` }));
  await node.apply(pulling('first', first ?? ''));
  await isReady('first');
  await node.apply(pulling('second', second ?? ''));
  await isReady('second');
  expect(runsOf('plain')).toEqual([`${registry.host}/private/plain/tool`]);
  expect(node.log).not.toContain(Registry.login.password);
  await node.output('delete', 'pod', 'first', 'second', '--timeout=60s');
});

test('a plugin receives a token of the service account, if the node may request its audience', async () => {
  const image = registry.add({ name: 'private/account/tool:1' });
  await node.apply(
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'friend', annotations: { [ANNOTATION]: 'puller' } } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'stranger' } },
  );
  await node.apply(pulling('friend', image, 'friend'));
  await isRefused('friend');
  await eventually(
    () =>
      node.log.includes(`audience \\"${AUDIENCE}\\" not found in pod spec volume, system:node:n1 is not authorized`),
    () => `the log says why: ${node.log.slice(-4000)}`,
  );
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'registry' } };
  await node.apply({
    ...role,
    rules: [{ verbs: ['request-serviceaccounts-token-audience'], apiGroups: [''], resources: [AUDIENCE] }],
  });
  await node.output('create', 'clusterrolebinding', 'registry', '--clusterrole=registry', '--group=system:nodes');
  await isReady('friend');
  const said = `${registry.host}/private/account/tool ${AUDIENCE} system:serviceaccount:default:friend puller`;
  expect(runsOf('account')).toEqual([said]);

  // The node has the image now. Another pod of the account needs no pull, but a pod of another account may not use it.
  const pulls = registry.pulls('private/account/tool:1');
  await node.apply(pulling('again', image, 'friend'), pulling('stranger', image, 'stranger'));
  await isReady('again');
  await isRefused('stranger');
  expect(registry.pulls('private/account/tool:1')).toBe(pulls);
  expect(runsOf('account')).toEqual([said]);
});
