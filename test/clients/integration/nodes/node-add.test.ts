import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import { type AddedNode, addNode, type NodeAddFlags } from '#local/commands/node-add.ts';
import { clientAuthorityOf, connectionFault } from '#local/commands/node-server.ts';
import { placeAt } from '#local/run/kubeconfig-place.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { runProgram } from '#test/clients/e2e/program.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { JoiningKubelet } from './joining-kubelet.ts';

const BINDINGS = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };
const NETWORK = 'davit:node-network';
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const SECRETS = core('secrets');
const NODES = core('nodes');

let server: RunningApiserver;
let admin: JoiningKubelet;
let folder = '';
let kubeconfig = '';

beforeAll(async () => void (server = await startApiserver({ scheduler: false })));
afterAll(() => server.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'davit-node-'));
  kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 });
  admin = new JoiningKubelet((await placeAt(kubeconfig)).remote);
});
afterEach(async () => {
  for (const name of await tokensIn()) await admin.client.delete(refOf(SECRETS, 'kube-system', name));
  for (const node of await admin.client.list(NODES)) await admin.client.delete(refOf(NODES, '', nameOf(node)));
  admin[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

/** The output for a node's host, with the URL of the test's server. */
const added = (node: string, flags: Partial<NodeAddFlags> = {}): Promise<AddedNode> =>
  addNode(
    node,
    {
      ttl: '24h',
      kubelet: true,
      servingCertificate: true,
      directory: join(folder, 'host'),
      server: server.url,
      ...flags,
    },
    kubeconfig,
  );

/** Adds a node with its files in a separate folder. Returns its kubelet as the bootstrap kubeconfig configures it. */
async function joining(node: string, flags: Partial<NodeAddFlags> = {}): Promise<JoiningKubelet> {
  const output = mkdtempSync(join(folder, 'output-'));
  await added(node, { output, ...flags });
  return new JoiningKubelet((await placeAt(join(output, 'bootstrap-kubelet.conf'))).remote);
}

const tokensIn = async (): Promise<string[]> =>
  (await admin.client.list(SECRETS, { namespace: 'kube-system' }))
    .filter((secret) => text(secret, 'type') === 'bootstrap.kubernetes.io/token')
    .map(nameOf);

describe('a host that is added', () => {
  test('joins, renews its certificate, and serves with a certificate that the server can verify', async () => {
    using bootstrap = await joining('n1.example');
    const first = await bootstrap.certificate(await bootstrap.ask({ node: 'n1.example' }));
    const remote = { url: server.url, caBundle: server.certificateAuthority };
    using node = new JoiningKubelet({ ...remote, credentials: { certificate: first } });
    const addresses = [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'Hostname', address: 'n1.example' },
    ];
    await node.client.create(NODES, { metadata: { name: 'n1.example' } });
    await node.client.patch(refOf(NODES, '', 'n1.example'), { status: { addresses } }, 'status');
    await node.client.create(LEASES, { metadata: { name: 'n1.example', namespace: 'kube-node-lease' } });

    const second = await node.certificate(await node.ask({ node: 'n1.example' }));
    using renewed = new JoiningKubelet({ ...remote, credentials: { certificate: second } });
    expect(await renewed.client.get(refOf(NODES, '', 'n1.example'))).toBeDefined();

    const serving = await renewed.certificate(
      await renewed.ask({ node: 'n1.example', names: ['n1.example', '10.0.0.1'] }),
    );
    const shown = new X509Certificate(serving.certificate);
    const authority = new X509Certificate(server.clientAuthority);
    expect([shown.checkIssued(authority), shown.verify(authority.publicKey)]).toEqual([true, true]);
    expect([shown.checkHost('n1.example'), shown.checkIP('10.0.0.1')]).toEqual(['n1.example', '10.0.0.1']);
    expect(shown.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']); // server auth
  });

  test('gets no certificate of another node', async () => {
    using bootstrap = await joining('n1');
    await expect(bootstrap.certificate(await bootstrap.ask({ node: 'n2' }))).rejects.toThrow(
      'Denied TokenBoundToNode: The credential is bound to node n1',
    );
  });

  test('may only request certificates with its token', async () => {
    using bootstrap = await joining('n1');
    for (const resource of ['pods', 'secrets', 'configmaps', 'nodes', 'serviceaccounts'])
      await expect(bootstrap.client.list(core(resource)), resource).rejects.toThrow(
        `cannot list resource "${resource}"`,
      );
    await expect(bootstrap.client.get(refOf(SECRETS, 'kube-system', 'x'))).rejects.toThrow('cannot get resource');
    await expect(bootstrap.client.create(NODES, { metadata: { name: 'n1' } })).rejects.toThrow(
      'cannot create resource',
    );
    await expect(bootstrap.client.list(BINDINGS)).rejects.toThrow('cannot list resource');
  });

  test('is unauthorized after its token expires', async () => {
    using bootstrap = await joining('n1');
    const [name = ''] = await tokensIn();
    const expiration = Buffer.from('2026-01-01T00:00:00Z').toString('base64');
    const secret = await admin.client.get(refOf(SECRETS, 'kube-system', name));
    expect(Buffer.from(text(at(secret, 'data'), 'expiration'), 'base64').toString()).toMatch(/^\d{4}-.*Z$/);
    await admin.client.patch(refOf(SECRETS, 'kube-system', name), { data: { expiration } });
    await expect(bootstrap.ask({ node: 'n1' })).rejects.toMatchObject({ code: 401 });
  });
});

describe('the output of davit node add', () => {
  test('is a script that writes files for their owner alone and runs the kubelet', async () => {
    const { printed } = await added('n1');
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'kubelet'), '#!/bin/sh\numask\nprintf "%s\\n" "$@"\n');
    await chmod(join(bin, 'kubelet'), 0o755);
    const PATH = `${bin}:${process.env['PATH']}`;
    const ran = await runProgram('/bin/sh', ['-c', 'umask 022; exec /bin/sh'], { input: printed, env: { PATH } });
    const host = join(folder, 'host');
    expect(ran).toEqual({
      code: 0,
      stdout: `0022\n${[
        `--bootstrap-kubeconfig=${host}/bootstrap-kubelet.conf`,
        `--kubeconfig=${host}/kubelet.conf`,
        `--config=${host}/kubelet-config.yaml`,
        '--hostname-override=n1',
      ].join('\n')}\n`,
      stderr: '',
    });
    const modes = ['', 'bootstrap-kubelet.conf', 'kubelet-config.yaml', 'client-ca.crt'].map(
      (name) => statSync(join(host, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
    using bootstrap = new JoiningKubelet((await placeAt(join(host, 'bootstrap-kubelet.conf'))).remote);
    await bootstrap.certificate(await bootstrap.ask({ node: 'n1' }));
    const authorities = await readFile(join(host, 'client-ca.crt'), 'utf8');
    expect(authorities).toContain(server.clientAuthority.trim());
    const certificates = authorities.match(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----\n/g) ?? [];
    expect(certificates.map((one) => new X509Certificate(one).subject)).toEqual(['CN=davit-ca', 'CN=davit-signer']);
    expect(certificates.join('')).toBe(authorities);
  });

  test('is written to a folder that only its owner can read', async () => {
    const output = join(folder, 'made', 'here');
    const { printed, notes } = await added('n1', { output, directory: '/etc/kubernetes' });
    expect(printed).toMatch(/^kubelet --bootstrap-kubeconfig=\/etc\/kubernetes\/bootstrap-kubelet.conf .*\n$/);
    expect(notes.at(-1)).toContain(`copy the files in ${output} to /etc/kubernetes of the host`);
    const files = ['', 'bootstrap-kubelet.conf', 'kubelet-config.yaml', 'client-ca.crt'];
    expect(files.map((name) => statSync(join(output, name)).mode & 0o777)).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  test('that cannot be written leaves no token', async () => {
    await expect(added('n1', { output: join(kubeconfig, 'below') })).rejects.toThrow('not a directory');
    expect(await tokensIn()).toEqual([]);
  });
});

describe('the name of an added node', () => {
  test('that is added again has only the later token', async () => {
    using first = await joining('n1');
    const { notes } = await added('n1');
    expect(notes).toContain('an earlier token of n1 is no longer valid');
    await expect(first.ask({ node: 'n1' })).rejects.toMatchObject({ code: 401 });
    using other = await joining('n2');
    expect(await tokensIn()).toHaveLength(2);
    await other.certificate(await other.ask({ node: 'n2' }));
  });

  test('is rejected if a node has it, unless another host replaces that node', async () => {
    await admin.client.create(NODES, { metadata: { name: 'n1' } });
    await expect(added('n1')).rejects.toThrow(
      'node n1 is there already; delete it by kubectl delete node n1, or let another host take its name by --replace',
    );
    expect(await tokensIn()).toEqual([]);
    const { notes } = await added('n1', { replace: true });
    expect(notes).toContain('node n1 stays until the host that joins takes it over');
    expect(await tokensIn()).toHaveLength(1);
  });
});

describe('rights of nodes', () => {
  const KUBELET_CLIENT = 'kubeadm:apiserver-kubelet-client';
  const SERVING = 'davit:node-autoapprove-serving';
  const remove = (name: string): Promise<void> => admin.client.delete(refOf(BINDINGS, '', name));

  test('is bound once, and repaired if a subject is missing', async () => {
    await added('n1');
    expect((await added('n2')).notes).toEqual([]);
    await admin.client.patch(refOf(BINDINGS, '', KUBELET_CLIENT), { subjects: null });
    expect((await added('n3')).notes).toEqual([`made the ClusterRoleBinding ${KUBELET_CLIENT}`]);
    expect(await admin.client.get(refOf(BINDINGS, '', KUBELET_CLIENT))).toMatchObject({
      roleRef: { name: 'system:kubelet-api-admin' },
      subjects: [{ kind: 'User', name: 'kube-apiserver-kubelet-client' }],
    });
  });

  test('does not include serving certificates if they are disabled', async () => {
    await added('n1');
    await remove(SERVING);
    await added('n2', { servingCertificate: false });
    expect(await admin.client.get(refOf(BINDINGS, '', SERVING))).toBeUndefined();
    expect((await added('n3')).notes).toEqual([`made the ClusterRoleBinding ${SERVING}`]);
  });

  test('includes watching what the network depends on, if the agent configures the network', async () => {
    const role = refOf({ ...BINDINGS, resource: 'clusterroles' }, '', NETWORK);
    await added('n1');
    expect(await admin.client.get(role)).toBeUndefined();
    const flags = { network: true } as const;
    const made = [`made the ClusterRole ${NETWORK}`, `made the ClusterRoleBinding ${NETWORK}`];
    expect((await added('n2', flags)).notes).toEqual(made);
    await admin.client.patch(role, { rules: [{ apiGroups: [''], resources: ['services'], verbs: ['get'] }] });
    expect((await added('n3', flags)).notes).toEqual([`gave the ClusterRole ${NETWORK} what it lacked`]);
    expect((await added('n4', flags)).notes).toEqual([]);
    const user = { user: 'system:node:n4', groups: ['system:nodes', 'system:authenticated'] };
    for (const [group, resource] of [
      ['', 'services'],
      ['discovery.k8s.io', 'endpointslices'],
      ['networking.k8s.io', 'servicecidrs'],
      ['', 'pods'],
      ['', 'nodes'],
      ['networking.k8s.io', 'networkpolicies'],
    ] as const)
      expect(
        await admin.client.create(
          { group: 'authorization.k8s.io', version: 'v1', resource: 'subjectaccessreviews' },
          { spec: { ...user, resourceAttributes: { group, resource, verb: 'watch' } } },
        ),
      ).toMatchObject({ status: { allowed: true } });
  });

  test('is not changed if a binding of the name is for another role', async () => {
    await added('n1');
    await remove(KUBELET_CLIENT);
    const roleRef = { apiGroup: BINDINGS.group, kind: 'ClusterRole', name: 'view' };
    await admin.client.create(BINDINGS, { metadata: { name: KUBELET_CLIENT }, roleRef });
    await expect(added('n2')).rejects.toThrow(`the ClusterRoleBinding ${KUBELET_CLIENT} is for another role`);
    expect(await tokensIn()).toHaveLength(1);
    await remove(KUBELET_CLIENT);
  });
});

describe('a server unsuitable for hosts', () => {
  /** The kubeconfig with a different server. */
  async function changed(cluster: Readonly<Record<string, unknown>>): Promise<string> {
    const config = parse(server.kubeconfig) as { clusters: { cluster: object }[] };
    const [first] = config.clusters;
    if (first !== undefined) first.cluster = { ...first.cluster, ...cluster };
    const path = join(folder, 'changed');
    await writeFile(path, stringify(config));
    return path;
  }
  const flags = { ttl: '24h', kubelet: true, servingCertificate: true, directory: '/etc/kubernetes' } as const;
  const MAPPED = '[::ffff:127.0.0.1]';

  test('has a fault if its certificate does not name the URL', async () => {
    const remote = { url: `https://${MAPPED}:${server.port}`, caBundle: server.certificateAuthority };
    expect(await connectionFault(remote)).toMatch(
      /^a host may be unable to join by .*does not match certificate's altnames.*--apiserver-cert-extra-sans/,
    );
  });

  test('is rejected if only this machine can reach it, and no token stays', async () => {
    const path = await changed({ server: `https://${MAPPED}:${server.port}`, 'tls-server-name': 'localhost' });
    await expect(addNode('n1', flags, path)).rejects.toThrow(
      /^a host may be unable to join by | is for this machine alone, /,
    );
    expect(await tokensIn()).toEqual([]);
  });

  test('that a flag names and this machine cannot reach is warned of', async () => {
    const { notes, printed } = await added('n1', { server: `https://${MAPPED}:${server.port}` });
    expect(notes).toEqual([expect.stringMatching(/^warning: a host may be unable to join by/)]);
    expect(printed).toContain(`server: https://${MAPPED}:${server.port}\n`);
  });

  test('is reported if it accepts no bootstrap tokens', async () => {
    await using other = await startApiserver({ scheduler: false, authentication: { bootstrapTokens: false } });
    await writeFile(kubeconfig, other.kubeconfig);
    await expect(added('n1', { server: other.url })).rejects.toThrow(
      `${other.url} takes no bootstrap tokens; start the server with --enable-bootstrap-token-auth true`,
    );
  });

  test('is rejected if it is not verified', async () => {
    const path = await changed({ 'insecure-skip-tls-verify': true, 'certificate-authority-data': undefined });
    await expect(addNode('n1', flags, path)).rejects.toThrow('does not verify the server');
  });

  test("is rejected if it has no certificates of its clients' authority", async () => {
    const { client } = admin;
    const ref = refOf(core('configmaps'), 'kube-system', 'extension-apiserver-authentication');
    const data = { 'client-ca-file': `EOF\ntouch /tmp/x\n` };
    const given = { ...client, get: async () => ({ ...(await client.get(ref)), data }) };
    await expect(clientAuthorityOf(given)).rejects.toThrow('data does not contain any valid RSA or ECDSA certificates');
  });

  test("is rejected if it does not publish its clients' authority", async () => {
    await using other = await startApiserver({ scheduler: false, controllers: false });
    await writeFile(kubeconfig, other.kubeconfig);
    await expect(added('n1', { server: other.url })).rejects.toThrow('does not say who signs its clients');
  });
});
