import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseIdentityMap } from '#lib/server/authentication/aws/identity-map-file.ts';
import { newAuthority } from '#local/certs.ts';
import { addInstances } from '#local/commands/node-add.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { RunningProgram, runProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Listening, onLoopback } from '#test/support/loopback.ts';
import { HOST } from './setup.ts';
import { AGENT } from './test-host.ts';

const INSTANCE = 'i-0123456789abcdef0';
const ADDRESSES = ['169.254.169.254', 'fd00:ec2::254'] as const;
/** A pod and the metadata service, each behind its own interface of the host. */
const NETWORK = [
  'netns add pod',
  'link add pod0 type veth peer name eth0 netns pod',
  'addr add 10.244.9.1/24 dev pod0',
  'addr add fd10:9::1/64 dev pod0 nodad',
  'link set pod0 up',
  '-n pod addr add 10.244.9.2/24 dev eth0',
  '-n pod addr add fd10:9::2/64 dev eth0 nodad',
  '-n pod link set eth0 up',
  '-n pod route add default via 10.244.9.1',
  '-n pod -6 route add default via fd10:9::1',
  'netns add ec2',
  'link add ec20 type veth peer name eth0 netns ec2',
  'addr add 169.254.169.1/24 dev ec20',
  'addr add fd00:ec2::1/64 dev ec20 nodad',
  'link set ec20 up',
  '-n ec2 addr add 169.254.169.254/24 dev eth0',
  '-n ec2 addr add fd00:ec2::254/64 dev eth0 nodad',
  '-n ec2 link set eth0 up',
  '-n ec2 route add default via 169.254.169.1',
  '-n ec2 -6 route add default via fd00:ec2::1',
];
const TABLE = ['table', 'inet', 'davit_metadata'];

let folder = '';
let server: RunningApiserver;
let sts: Listening;
let service: RunningProgram;

/** STS, which accepts the session of the instance's credentials for the cluster `prod`. */
async function startSts(identity: { readonly certificate: string; readonly key: string }): Promise<Listening> {
  const Arn = `arn:aws:sts::123456789012:assumed-role/edge-nodes/${INSTANCE}`;
  const result = { Arn, Account: '123456789012', UserId: `AROAEXAMPLE:${INSTANCE}` };
  const listener = createServer(
    { cert: identity.certificate, key: identity.key },
    ({ url = '', headers }, response) => {
      const isSigned = url.includes(`X-Amz-Security-Token=of-${INSTANCE}`) && headers['x-k8s-aws-id'] === 'prod';
      response.writeHead(isSigned ? 200 : 403, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ GetCallerIdentityResponse: { GetCallerIdentityResult: result } }));
    },
  );
  return onLoopback(listener);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'davit-instance-'));
  for (const command of NETWORK) execFileSync('ip', command.split(' '));
  writeFileSync('/proc/sys/net/ipv6/conf/all/forwarding', '1');
  const script = join(import.meta.dirname, 'instance/metadata-service.ts');
  service = new RunningProgram('ip', ['netns', 'exec', 'ec2', process.execPath, script, INSTANCE, ...ADDRESSES]);
  const authority = await newAuthority(new Date());
  sts = await startSts(await authority.issue({ name: 'sts' }, ['sts.eu-west-1.amazonaws.com']));
  const mapNodeRoles = [{ rolearn: 'arn:aws:iam::123456789012:role/edge-nodes' }];
  const map = parseIdentityMap(JSON.stringify({ clusterID: 'prod', mapNodeRoles }));
  const endpoint = { host: '127.0.0.1', port: sts.port, caBundle: authority.certificate };
  server = await startApiserver({ scheduler: false, authentication: { aws: { map, endpoint } } });
  writeFileSync(join(folder, 'admin'), server.kubeconfig, { mode: 0o600 });
  const flags = { ec2: 'prod', ttl: '1h', servingCertificate: false, output: folder, server: server.url };
  await addInstances(flags, join(folder, 'admin'));
  await eventually(() => expect(service.stdout.split('\n').length).toBeGreaterThan(ADDRESSES.length));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await server.close();
  await sts.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Whether a process in the pod or on the host can connect to port 80 of an address within two seconds. */
async function reaches(from: 'pod' | 'host', address: string): Promise<boolean> {
  const code = `require('node:net').connect({ host: '${address}', port: 80 }).on('connect', () => process.exit(0)).on('error', () => process.exit(1));
    setTimeout(() => process.exit(2), 2000)`;
  const program = [process.execPath, '-e', code];
  const [path = '', ...args] = from === 'pod' ? ['ip', 'netns', 'exec', 'pod', ...program] : program;
  return (await runProgram(path, args)).code === 0;
}

const reached = (from: 'pod' | 'host'): Promise<boolean[]> =>
  Promise.all(ADDRESSES.map((address) => reaches(from, address)));

const agent = (state: string): RunningProgram =>
  new RunningProgram(process.execPath, [
    ...AGENT,
    '--ec2-identity=prod',
    `--node-ip=${HOST}`,
    `--bootstrap-kubeconfig=${join(folder, 'bootstrap-kubelet.conf')}`,
    `--kubeconfig=${join(folder, state, 'kubelet.conf')}`,
    `--root-dir=${join(folder, state)}`,
  ]);

const hasNode = async (): Promise<boolean> =>
  (await server.client.get({ apiVersion: 'v1', kind: 'Node' }, { namespace: '', name: INSTANCE })) !== undefined;

describe('an agent that joins by the identity of its EC2 instance', () => {
  test('keeps pods from the metadata of the instance, which the host reaches, and is the node of its id', async () => {
    expect(await reached('pod')).toEqual([true, true]);
    await using running = agent('state');
    await eventually(hasNode, () => running.stderr);
    expect(await reached('pod')).toEqual([false, false]);
    expect(await reached('host')).toEqual([true, true]);
  });

  test('leaves its rules when it ends, and adds them again when it starts', async () => {
    expect(await reached('pod')).toEqual([false, false]);
    execFileSync('nft', ['delete', ...TABLE]);
    expect(await reached('pod')).toEqual([true, true]);
    await using running = agent('state'); // with its certificate
    await eventually(
      () => running.stderr.includes('the channel stands'),
      () => running.stderr,
    );
    expect(await reached('pod')).toEqual([false, false]);
  });

  test('does not start if it cannot keep pods from them', async () => {
    execFileSync('nft', ['add', ...TABLE]);
    execFileSync('nft', ['delete', ...TABLE]);
    const program = [process.execPath, ...AGENT, '--ec2-identity=prod', `--root-dir=${join(folder, 'other')}`];
    const refused = await runProgram('setpriv', [
      '--bounding-set',
      '-net_admin',
      '--inh-caps',
      '-net_admin',
      ...program,
    ]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('cannot keep pods from the metadata of the instance: nft: exit status 1');
  });
});
