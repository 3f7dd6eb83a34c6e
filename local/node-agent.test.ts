import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import { placeOf } from '#adapters/server/http/kubeconfig.ts';
import type { Lease } from '#lib/api/types/coordination.v1.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { EVENTS, LEASES, NODES } from '#lib/api/types/resources.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { requester } from '#test/support/requester.ts';
import { addNode } from './commands/node-add.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

const CONFIGURATION = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
const MAIN = join(import.meta.dirname, '../node-agent/main.ts');

let server: RunningApiserver;
let connection: ApiConnection;
let client: Clientset;
let folder = '';

beforeAll(async () => {
  server = await startApiserver({ scheduler: false });
  folder = mkdtempSync(join(tmpdir(), 'davit-agent-'));
  writeFileSync(join(folder, 'admin'), server.kubeconfig, { mode: 0o600 });
  connection = new ApiConnection(placeOf(server.kubeconfig, diskFiles(folder)).remote);
  client = clientset(apiClient({ handle: (request) => connection.handle(request), userAgent: 'test' }));
});
afterAll(async () => {
  connection[Symbol.dispose]();
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The path of the bootstrap kubeconfig for a node's token. */
async function tokenOf(node: string): Promise<string> {
  const output = mkdtempSync(join(folder, 'output-'));
  const flags = { ttl: '1h', servingCertificate: false, directory: output, output, server: server.url };
  await addNode(node, flags, join(folder, 'admin'));
  return join(output, 'bootstrap-kubelet.conf');
}

const stateOf = (node: string): string => join(folder, node);

/** Runs the agent as a separate process. */
const agent = (node: string, ...flags: readonly string[]): RunningProgram =>
  new RunningProgram(process.execPath, [
    MAIN,
    `--root-dir=${stateOf(node)}`,
    `--kubeconfig=${join(stateOf(node), 'kubeconfig')}`,
    `--hostname-override=${node}`,
    ...flags,
  ]);

const nodeOf = (name: string): Promise<Node | undefined> => client.get({ resource: NODES, namespace: '', name });
const leaseOf = (name: string): Promise<Lease | undefined> =>
  client.get({ resource: LEASES, namespace: 'kube-node-lease', name });
/** The reasons of the events about a node. */
const eventsOf = async (name: string): Promise<(string | undefined)[]> =>
  (await client.list(EVENTS, { namespace: 'default' }))
    .filter(({ involvedObject }) => involvedObject.name === name)
    .map(({ reason }) => reason);
const proxied = async (node: string, path: string): Promise<string> => {
  const { status, body } = await requester(server)('GET', `/api/v1/nodes/${node}/proxy/${path}`);
  return `${status} ${String(body['text'] ?? body['message'])}`;
};

/** Only their owner can read the key and the kubeconfig, and the kubeconfig does not contain the key. */
function expectOwnerOnly(node: string): void {
  const [pem, kubeconfig] = ['pki/kubelet-client-current.pem', 'kubeconfig'].map((name) => join(stateOf(node), name));
  expect([pem, kubeconfig].map((path = '') => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(readFileSync(kubeconfig ?? '', 'utf8')).not.toContain('PRIVATE KEY');
}

describe('an agent with a bootstrap token', () => {
  test('registers a node without a container runtime, also after it was killed', async () => {
    const config = join(folder, 'config.yaml'); // renews its Lease every second instead of every ten
    writeFileSync(config, `${CONFIGURATION}nodeLeaseDurationSeconds: 4\n`);
    const flags = [`--bootstrap-kubeconfig=${await tokenOf('a1')}`, `--config=${config}`];
    {
      await using running = agent('a1', ...flags, '--node-labels=example.com/rack=r1');
      await eventually(async () => expect(await proxied('a1', 'healthz'), running.stderr).toBe('200 ok'));
      expect(await proxied('a1', 'configz')).toContain('200');
      expect(await proxied('a1', 'none')).toContain('404');
      expectOwnerOnly('a1');
      const node = await nodeOf('a1');
      expect(node?.metadata.labels).toMatchObject({ 'kubernetes.io/hostname': 'a1', 'example.com/rack': 'r1' });
      expect(node?.status.capacity).toMatchObject({ pods: '110' });
      expect(node?.status.addresses?.at(-1)).toEqual({ type: 'Hostname', address: 'a1' });
      expect(node?.status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
        status: 'False',
        reason: 'KubeletNotReady',
        message: '[container runtime is down, network state unknown]',
      });
      expect(node?.spec.taints?.map(({ key }) => key)).toContain('node.kubernetes.io/not-ready');
      const reasons = ['Starting', 'NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID'];
      await eventually(async () => expect(await eventsOf('a1')).toEqual(expect.arrayContaining(reasons)));
      await eventually(async () =>
        expect((await leaseOf('a1'))?.metadata.ownerReferences?.[0]?.uid).toBe(node?.metadata.uid),
      );
      const first = (await leaseOf('a1'))?.spec.renewTime;
      await eventually(async () => expect((await leaseOf('a1'))?.spec.renewTime).not.toBe(first));
    } // kill -9
    await eventually(async () => expect(await proxied('a1', 'healthz')).toMatch(/^503 /));
    await using again = agent('a1'); // with only its certificate
    await eventually(async () => expect(await proxied('a1', 'healthz'), again.stderr).toBe('200 ok'));
  });

  test('does not act from a copied disk before the server has accepted it', async () => {
    const flag = `--bootstrap-kubeconfig=${await tokenOf('a7')}`;
    mkdirSync(stateOf('a7'), { recursive: true });
    writeFileSync(join(stateOf('a7'), 'machine.json'), '{"machineID":"another"}');
    await using running = agent('a7', flag);
    await eventually(() => expect(running.stderr).toContain('the disk comes from another machine'));
    await eventually(async () => expect(await nodeOf('a7'), running.stderr).toBeDefined());
    expect(readFileSync(join(stateOf('a7'), 'machine.json'), 'utf8')).not.toContain('another');
  });

  test("ends with the reason if the certificate is another node's", async () => {
    const running = agent('a3', `--bootstrap-kubeconfig=${await tokenOf('a2')}`);
    const { code, stderr } = await running.ended();
    expect([code, stderr]).toEqual([1, expect.stringContaining('The credential is bound to node a2')]);
  });

  test('ends at SIGTERM', async () => {
    await using running = agent('a4', `--bootstrap-kubeconfig=${await tokenOf('a4')}`);
    await eventually(() => expect(running.stderr).toContain('the channel stands'));
    expect(await running.ended('SIGTERM')).toMatchObject({ code: 0 });
  });
});

test('an agent without a certificate and a token ends with the reason', async () => {
  const { code, stderr } = await agent('a5').ended();
  expect([code, stderr]).toEqual([1, expect.stringContaining('name a --bootstrap-kubeconfig')]);
});

test.each([
  ['--node-ip=host', 'It is an IP address.'],
  ['--node-ip=192.0.2.1,192.0.2.2', 'It is one address, or one of each IP family.'],
  ['--node-labels=rack', 'Labels are key=value, separated by commas.'],
  ['--v=much', 'It is a whole number.'],
])('rejects the flag %s', async (flag, message) => {
  const { code, stderr } = await agent('a6', flag).ended();
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});
