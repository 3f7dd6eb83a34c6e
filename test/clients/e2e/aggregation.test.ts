import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { newAuthority } from '#local/certs.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { buildSampleApiserver } from '#test/support/clients/sample-apiserver.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { needing, skipUnless } from '#test/support/skip.ts';
import { type Cluster, useCluster } from './cluster.ts';
import { RunningProgram, runProgram } from './program.ts';

const GROUP = 'wardle.example.com';
const FLUNDERS = `/apis/${GROUP}/v1alpha1/namespaces/default/flunders`;
const API_SERVICE = `/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.${GROUP}`;
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const TOKEN = 'token-of-the-sample-apiserver';
const ANN = 'token-of-ann';
/** Endpoints may not have loopback addresses. */
const address = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

const NO_ADDRESS = 'this machine has no IPv4 address but loopback';

const [sample, kubectl] = await Promise.all([buildSampleApiserver(), newestKubectl()]);

const kubectlRun = ({ kubeconfig, folder }: Cluster, args: readonly string[]) =>
  runProgram(pathOf(kubectl), args, { env: { HOME: folder, KUBECONFIG: kubeconfig } });

/** The output of kubectl. Throws if it fails. */
async function kubectlOf(cluster: Cluster, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await kubectlRun(cluster, args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: exit code ${code}\n${stdout}${stderr}`);
  return stdout;
}

describe('the unmodified sample-apiserver', {
  ...needing(sample, kubectl),
  ...skipUnless(address !== undefined, NO_ADDRESS),
}, () => {
  const account = { name: 'system:serviceaccount:default:wardle', groups: ['system:serviceaccounts'] };
  const cluster = useCluster({
    tokens: new Map<string, User>([
      [TOKEN, account],
      [ANN, { name: 'ann', groups: ['fish'], extra: { 'example.com/scopes': ['some'] } }],
    ]),
  });
  let send: Requester;
  let wardle: RunningProgram;
  let port = 0;
  let certificate = '';
  const auditLog = () => join(cluster().folder, 'audit.log');

  beforeAll(async () => {
    send = requester(cluster().server);
    await allow();
    wardle = await started();
    await send('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'wardle' },
      spec: { ports: [{ name: 'https', port: 443, targetPort: port }] },
    });
    await send('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: { name: 'wardle', labels: { 'kubernetes.io/service-name': 'wardle' } },
      addressType: 'IPv4',
      ports: [{ name: 'https', port }],
      endpoints: [{ addresses: [address ?? ''] }],
    });
    await send('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: `v1alpha1.${GROUP}` },
      spec: {
        group: GROUP,
        version: 'v1alpha1',
        service: { namespace: 'default', name: 'wardle' },
        caBundle: Buffer.from(certificate).toString('base64'),
        groupPriorityMinimum: 1000,
        versionPriority: 15,
      },
    });
    await becomes('Passed');
  });
  afterAll(async () => void (await wardle.ended('SIGKILL')));

  const bind = (kind: string, name: string, to: { role: string; user: string }): Promise<unknown> =>
    send(
      'POST',
      `${RBAC}/${kind === 'ClusterRole' ? '' : 'namespaces/kube-system/'}${kind === 'ClusterRole' ? 'clusterrolebindings' : 'rolebindings'}`,
      {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: to.role },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: to.user }],
      },
    );

  /** The permissions that upstream documents for such a server, and those of a user. */
  async function allow(): Promise<void> {
    const [reads, user] = ['extension-apiserver-authentication-reader', account.name];
    await bind('ClusterRole', 'wardle-delegates', { role: 'system:auth-delegator', user });
    await bind('Role', 'wardle-reads', { role: reads, user });
    await send('POST', `${RBAC}/clusterroles`, {
      metadata: { name: 'fisher' },
      rules: [{ apiGroups: [GROUP], resources: ['flunders'], verbs: ['get', 'list'] }],
    });
    await bind('ClusterRole', 'ann-fishes', { role: 'fisher', user: 'ann' });
  }

  async function started(): Promise<RunningProgram> {
    const { folder, server, kubeconfig } = cluster();
    port = await freePort();
    const own = await newAuthority(new Date());
    const pair = await own.issue({ name: 'wardle' }, ['wardle.default.svc']);
    certificate = own.certificate;
    const { url, certificateAuthority: authority } = server;
    const delegate = kubeconfigOf({ name: 'x', server: url, authority, user: { token: TOKEN } });
    const place = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const reviews = place('delegate.yaml', delegate);
    const policy = {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [{ level: 'Metadata' }],
    };
    mkdirSync(join(folder, 'etcd'), { mode: 0o700 });
    return new RunningProgram(pathOf(sample), [
      join(folder, 'etcd'),
      `http://127.0.0.1:${await freePort()}`,
      `--secure-port=${port}`,
      '--bind-address=0.0.0.0',
      `--tls-cert-file=${place('tls.crt', pair.certificate)}`,
      `--tls-private-key-file=${place('tls.key', pair.key)}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${reviews}`,
      `--authorization-kubeconfig=${reviews}`,
      `--audit-policy-file=${place('policy.yaml', stringify(policy))}`,
      `--audit-log-path=${auditLog()}`,
    ]);
  }

  async function condition(): Promise<{ reason?: string; message?: string }> {
    const { body } = await send('GET', API_SERVICE);
    const { conditions = [] } = (body['status'] ?? {}) as { conditions?: { reason: string; message: string }[] };
    return conditions[0] ?? {};
  }
  const becomes = (reason: string): Promise<void> =>
    eventually(
      async () => (await condition()).reason === reason,
      () => `${reason}\n${wardle.stderr.slice(-4000)}`,
    );

  const kube = (...args: string[]): Promise<string> => kubectlOf(cluster(), args);

  /** The users of requests to a path, according to the sample-apiserver's audit log. */
  const auditedUsers = (path: string): JsonObject[] =>
    readFileSync(auditLog(), 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"requestURI":"${path}`))
      .map((line) => (JSON.parse(line) as { user: JsonObject }).user);

  test('is found by kubectl, which explains its kinds', async () => {
    expect(await kube('api-resources', `--api-group=${GROUP}`)).toMatch(
      /flunders +wardle\.example\.com\/v1alpha1 +true +Flunder/,
    );
    expect(await kube('explain', 'flunders.spec')).toContain('referenceType');
    expect(await kube('get', 'apiservices', `v1alpha1.${GROUP}`)).toMatch(/default\/wardle +True/);
  });

  test('stores what kubectl creates, patches, watches and deletes', async () => {
    const file = join(cluster().folder, 'flunder.yaml');
    const flunder = {
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'Flunder',
      metadata: { name: 'one' },
      spec: { reference: 'two', referenceType: 'Flunder' },
    };
    writeFileSync(file, stringify(flunder));
    await using watch = new RunningProgram(pathOf(kubectl), ['get', 'flunders', '--watch', '--output-watch-events'], {
      env: { KUBECONFIG: cluster().kubeconfig, HOME: cluster().folder },
    });
    expect(await kube('create', '-f', file)).toBe('flunder.wardle.example.com/one created\n');
    await watch.says(/ADDED +one/);
    await kube('patch', 'flunder', 'one', '--type=merge', '-p', '{"metadata":{"labels":{"a":"b"}}}');
    await watch.says(/MODIFIED/);
    expect(await kube('get', 'flunders', '-l', 'a=b', '-o', 'name')).toBe('flunder.wardle.example.com/one\n');
    await kube('apply', '--server-side', '-f', file);
    await kube('delete', 'flunder', 'one');
    await watch.says(/DELETED/);
    expect(await kube('get', 'flunders', '-o', 'name')).toBe('');
  });

  test('accepts the user only from this server', async () => {
    const lies = { authorization: `Bearer ${ANN}`, 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' };
    expect((await requester(cluster().server, lies)('GET', `${FLUNDERS}?ann`)).status).toBe(200);
    const acts = { 'impersonate-user': 'ann', 'impersonate-group': 'fish', 'x-remote-extra-a': 'b' };
    expect((await requester(cluster().server, acts)('GET', `${FLUNDERS}?as`)).status).toBe(200);
    await eventually(() => expect(auditedUsers(`${FLUNDERS}?as`).length).toBeGreaterThan(0));
    const groups = ['fish', 'system:authenticated'];
    expect(auditedUsers(`${FLUNDERS}?ann`)).toEqual([
      { username: 'ann', groups, extra: { 'example.com/scopes': ['some'] } },
    ]);
    expect(auditedUsers(`${FLUNDERS}?as`)).toEqual([{ username: 'ann', groups }]);
  });

  test('asks this server to authenticate tokens, and to authorize users', async () => {
    const direct = (headers: Record<string, string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const place = {
          host: address,
          port,
          path: FLUNDERS,
          ca: certificate,
          servername: 'wardle.default.svc',
          headers,
        };
        httpsRequest(place, (response) => resolve(response.resume().statusCode ?? 0))
          .on('error', reject)
          .end();
      });
    expect(await direct({ authorization: `Bearer ${ANN}` })).toBe(200);
    expect(await direct({ authorization: `Bearer ${TOKEN}` })).toBe(403);
    expect(await direct({ authorization: 'Bearer nobody' })).toBe(401);
    expect(await direct({ 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' })).toBe(403);
  });

  test('affects no other API when it crashes', async () => {
    await wardle.ended('SIGKILL');
    await send('PATCH', API_SERVICE, { metadata: { labels: { look: 'again' } } });
    await becomes('FailedDiscoveryCheck');
    expect((await condition()).message).toContain(
      `failing or missing response from https://${address}:${port}/apis/${GROUP}/v1alpha1: Get `,
    );
    expect(await send('GET', FLUNDERS)).toMatchObject({ status: 503, body: { text: 'service unavailable\n' } });
    expect(await kube('get', 'namespaces', 'default', '-o', 'name')).toBe('namespace/default\n');
    await send('DELETE', API_SERVICE);
    expect((await send('GET', FLUNDERS)).status).toBe(404);
  });
});

describe('the notes of the example', needing(kubectl), () => {
  const cluster = useCluster(async () => {
    process.env['NOTES_FILE'] = join(notesFolder, 'notes.json');
    return { functionsFolder: join(import.meta.dirname, '../../../examples/aggregated-api') };
  });
  const notesFolder = mkdtempSync(join(tmpdir(), 'notes-'));
  afterAll(() => {
    delete process.env['NOTES_FILE'];
    rmSync(notesFolder, { recursive: true });
  });
  const kube = (...args: string[]): Promise<string> => kubectlOf(cluster(), args);
  const written = (name: string, text: string): string => {
    const file = join(cluster().folder, `${name}.yaml`);
    const [kind, metadata] = ['Note', { name }];
    writeFileSync(file, stringify({ apiVersion: 'notes.example.com/v1', kind, metadata, spec: { text } }));
    return file;
  };
  const textOf = (name: string): Promise<string> => kube('get', 'note', name, '-o', 'jsonpath={.spec.text}');

  test('are applied by the server, with conflicts between managers', async () => {
    const apply = (manager: string, text: string, ...flags: string[]): Promise<string> =>
      kube('apply', '--server-side', `--field-manager=${manager}`, '-f', written('one', text), ...flags);
    expect(await apply('ann', 'a')).toBe('note.notes.example.com/one serverside-applied\n');
    await expect(apply('bob', 'b')).rejects.toThrow('Apply failed with 1 conflict: conflict with "ann": .spec.text');
    expect(await textOf('one')).toBe('a');
    await apply('bob', 'b', '--force-conflicts');
    expect(await textOf('one')).toBe('b');
    expect(await kube('diff', '--server-side', '--field-manager=bob', '-f', written('one', 'b'))).toBe('');
  });

  test('are applied by kubectl itself', async () => {
    expect(await kube('apply', '-f', written('two', 'a'))).toBe('note.notes.example.com/two created\n');
    expect(await kube('apply', '-f', written('two', 'b'))).toBe('note.notes.example.com/two configured\n');
    expect(await textOf('two')).toBe('b');
    expect(await kube('apply', '-f', written('two', 'b'))).toBe('note.notes.example.com/two unchanged\n');
    expect(await kube('apply', '--server-side', '-f', written('two', 'c'))).toContain('serverside-applied');
    expect(await textOf('two')).toBe('c');
  });

  test('are listed in pages', async () => {
    for (const name of ['three', 'four', 'five']) await kube('apply', '--server-side', '-f', written(name, name));
    const all = (await kube('get', 'notes', '-o', 'name')).split('\n').filter(Boolean);
    const { stderr, stdout } = await kubectlRun(cluster(), ['get', 'notes', '--chunk-size=2', '-o', 'name', '-v=6']);
    expect(stdout.split('\n').filter(Boolean).sort()).toEqual(all.sort());
    expect(all.length).toBe(5);
    expect(stderr.match(/\/notes\?(continue=\S+&)?limit=2/g)).toHaveLength(3);
  });
});
