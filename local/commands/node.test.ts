import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { placeOf } from '#adapters/server/http/kubeconfig.ts';
import type { Client } from '#lib/client/client.ts';
import { isObject } from '#lib/machinery/json-value.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { readKubeletConfiguration } from '#lib/node/kubelet/apis/config/configuration.ts';
import { wholeCommand } from '../davit.ts';
import { type JoinSettings, joinCommand, joinFiles, joinScript } from './node-files.ts';
import { urlForOthers } from './node-server.ts';

/** The command, which throws instead of ending the process. */
function nodeAdd(): Command {
  const whole = wholeCommand();
  const node = whole.commands.find((one) => one.name() === 'node');
  const add = node?.commands.find((one) => one.name() === 'add');
  if (add === undefined) throw new Error('there is no command');
  for (const one of [whole, node, add]) one?.exitOverride().configureOutput({ writeErr: () => undefined });
  return whole;
}

const run = (...args: string[]): Promise<Command> => nodeAdd().parseAsync(['node', 'add', ...args], { from: 'user' });

test.each([
  [['N1', '--kubelet'], 'A node has a DNS name: a lowercase RFC 1123 subdomain'],
  [['n_1', '--kubelet'], 'A node has a DNS name'],
  [['-n1', '--kubelet'], 'unknown option'],
  [['n1.', '--kubelet'], 'A node has a DNS name'],
  [['n:1', '--kubelet'], 'A node has a DNS name'],
  [['', '--kubelet'], 'A node has a DNS name'],
  [['n'.repeat(64), '--kubelet'], 'A kubelet does not register a name of more than 63 characters.'],
  [['--kubelet'], "missing required argument 'name'"],
  [['n1', '--ec2', 'prod'], '--ec2 is for node agents'],
  [['--ec2', 'prod', '--kubelet'], '--ec2 is for node agents'],
  [['--ec2', 'a b'], 'An id is letters'],
  [['n1', '--kubelet', '--service'], '--service is for a script of davit-node-agent'],
  [['n1', '--kubelet', '--network'], '--network is for davit-node-agent'],
  [['n1', '--no-network-plugin'], '--no-network-plugin is for --network'],
  [['n1', '--service', '--output', 'x'], '--service is for a script of davit-node-agent'],
  [['n1', '--kubelet', '--ttl', '59s'], 'It is one minute or more.'],
  [['n1', '--kubelet', '--ttl', '-1h'], 'It is a duration above zero'],
  [['n1', '--kubelet', '--ttl', 'day'], 'time: invalid duration'],
  [['n1', '--kubelet', '--server', 'http://10.0.0.5'], 'A server is an https URL.'],
  [['n1', '--kubelet', '--directory', 'etc'], 'It is an absolute path'],
  [['n1', '--kubelet', '--directory', '/etc/$(id)'], 'It is an absolute path'],
  [['n1', '--kubelet', '--kubeconfig', '/nowhere/kubeconfig'], '/nowhere/kubeconfig does not exist'],
])('rejects node add %j', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(new RegExp(message.replaceAll(/[()]/g, '\\$&')));
});

test("the help lists every flag, including the data directory's", () => {
  const node = wholeCommand().commands.find((one) => one.name() === 'node');
  const help = node?.commands.find((one) => one.name() === 'add')?.helpInformation() ?? '';
  const flags = [...help.matchAll(/^ {2}(?:-h, )?(--[a-z0-9-]+)/gm)].map(([, flag]) => flag);
  expect(flags.join(' ')).toBe(
    '--ec2 --kubelet --service --network --no-network-plugin --ttl --replace --no-serving-certificate --server --directory --output --kubeconfig --context --help --data-dir',
  );
});

const JOINING: JoinSettings = {
  kubelet: true,
  service: false,
  node: 'n1.example',
  server: 'https://10.0.0.5:6443',
  serverAuthority: 'SERVER PEM\n',
  clientAuthority: 'CLIENT PEM\n',
  token: 'abcdef.0123456789abcdef',
  expiration: '2026-01-01T00:00:00Z',
  directory: '/etc/kubernetes',
  servingCertificate: true,
  network: 'none',
  inAccount: false,
};
const yamlOf = (name: string, joining: Partial<JoinSettings> = {}): unknown =>
  decodeYaml(Buffer.from(joinFiles({ ...JOINING, ...joining })[name] ?? '')).value;

test('the bootstrap kubeconfig contains the server, its authority and the token', async () => {
  const { remote } = placeOf(joinFiles(JOINING)['bootstrap-kubelet.conf'] ?? '', diskFiles('/'));
  expect(remote).toMatchObject({ url: 'https://10.0.0.5:6443', caBundle: 'SERVER PEM\n', insecure: false });
  expect(await remote.credentials?.token?.()).toBe('abcdef.0123456789abcdef');
  expect(yamlOf('bootstrap-kubelet.conf', { serverAuthority: '' })).not.toHaveProperty(
    'clusters.0.cluster.certificate-authority-data',
  );
});

test("the kubelet's configuration renews its certificates and authorizes by the server", () => {
  const configuration = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: '/etc/kubernetes/client-ca.crt' },
    },
    authorization: { mode: 'Webhook' },
    cgroupDriver: 'systemd',
    clusterDNS: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    rotateCertificates: true,
  };
  expect(yamlOf('kubelet-config.yaml')).toEqual({ ...configuration, serverTLSBootstrap: true });
  expect(yamlOf('kubelet-config.yaml', { servingCertificate: false })).toEqual(configuration);
});

test.each([true, false])('sends fewer heartbeats if each costs money; with a kubelet: %s', (kubelet) => {
  const times = { nodeLeaseDurationSeconds: 240, nodeStatusUpdateFrequency: '60s', nodeStatusReportFrequency: '15m' };
  expect(yamlOf('kubelet-config.yaml', { kubelet, inAccount: true })).toMatchObject(times);
  expect(yamlOf('kubelet-config.yaml', { kubelet })).not.toHaveProperty('nodeLeaseDurationSeconds');
});

test("the script ends with the kubelet's command line", () => {
  const script = joinScript(JOINING);
  expect(script.split('\n')[0]).toBe(
    '# Run this as root on the host that joins https://10.0.0.5:6443 as node n1.example, before 2026-01-01T00:00:00Z. It holds a token: keep it secret.',
  );
  expect(script.trimEnd().split('\n').at(-1)).toBe(`exec ${joinCommand(JOINING)}`);
  expect(joinCommand(JOINING)).toBe(
    'kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf' +
      ' --config=/etc/kubernetes/kubelet-config.yaml --hostname-override=n1.example',
  );
});

test('an agent that configures the network gets the flags for all its parts', () => {
  const command = (network: JoinSettings['network']): string => joinCommand({ ...JOINING, kubelet: false, network });
  expect(command('all')).toMatch(
    / --hostname-override=n1\.example --network-plugin=kubenet --proxy-mode=nftables --serve-dns --network-policies$/,
  );
  expect(command('services')).toMatch(/=n1\.example --proxy-mode=nftables --serve-dns --network-policies$/);
  expect(command('none')).toMatch(/=n1\.example$/);
});

test('the script for EC2 instances is user data without a secret, and the same for all instances', () => {
  const joining = { ...JOINING, kubelet: false, service: true, node: '', token: '', expiration: '', clusterId: 'prod' };
  const script = joinScript(joining);
  expect(script).toMatch(
    /^#!\/bin\/sh\n# Run this as root on each EC2 instance that joins https:\/\/10\.0\.0\.5:6443\. It holds no secret\.\n/,
  );
  expect(script).toContain(' --ec2-identity=prod\n');
  expect(script).not.toMatch(/hostname-override|token:/);
  expect(
    placeOf(joinFiles(joining)['bootstrap-kubelet.conf'] ?? '', diskFiles('/')).remote.credentials?.token,
  ).toBeUndefined();
});

describe('the URL for other hosts', () => {
  const advertising = (...addresses: string[]): Client => {
    const endpoints = addresses.length === 0 ? [] : [{ addresses }];
    return { get: async () => ({ endpoints, ports: [{ port: 6443 }] }) } as unknown as Client;
  };

  test.each([
    ['https://10.0.0.5:6443', 'https://10.0.0.5:6443'],
    ['https://api.example/path', 'https://api.example/path'],
    ['https://127.0.0.1:7443', 'https://192.0.2.7:6443'],
    ['https://localhost:7443', 'https://192.0.2.7:6443'],
    ['https://[::1]:7443', 'https://192.0.2.7:6443'],
    ['https://0.0.0.0:7443', 'https://192.0.2.7:6443'],
    ['https://[::]:7443', 'https://192.0.2.7:6443'],
  ])('is for %s the URL %s', async (url, other) => {
    expect(await urlForOthers(advertising('192.0.2.7'), { url })).toBe(other);
  });

  test('has brackets around an IPv6 address', async () => {
    expect(await urlForOthers(advertising('fd00::7'), { url: 'https://127.0.0.1:1' })).toBe('https://[fd00::7]:6443');
  });

  test('must be given if the server advertises no address', async () => {
    await expect(urlForOthers(advertising(), { url: 'https://127.0.0.1:1' })).rejects.toThrow('name one by --server');
  });
});

const AGENT: Partial<JoinSettings> = { kubelet: false, clientAuthority: '', directory: '/etc/davit-node-agent' };

test('writes a bootstrap kubeconfig and a configuration for an agent, without a client CA', () => {
  const files = joinFiles({ ...JOINING, ...AGENT });
  expect(Object.keys(files)).toEqual(['bootstrap-kubelet.conf', 'kubelet-config.yaml']);
  const document = decodeYaml(Buffer.from(files['kubelet-config.yaml'] ?? '')).value;
  expect(isObject(document) && readKubeletConfiguration([document]).warnings).toEqual([]);
  expect(joinCommand({ ...JOINING, ...AGENT })).toBe(
    'davit-node-agent --bootstrap-kubeconfig=/etc/davit-node-agent/bootstrap-kubelet.conf --kubeconfig=/etc/davit-node-agent/kubelet.conf --config=/etc/davit-node-agent/kubelet-config.yaml --hostname-override=n1.example',
  );
});

test.each([true, false])('the script of an agent, as a service %s, writes no token if there is none', (service) => {
  const script = joinScript({ ...JOINING, ...AGENT, service, directory: '/nowhere/davit' });
  const { status, stderr } = spawnSync('/bin/sh', { input: script, env: { PATH: '/nowhere' }, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      'davit-node-agent is not installed: run npm install -g with the tarball that npm pack makes in a checkout of Davit\n',
  });
});

test.each([
  ['all', { hairpinMode: 'hairpin-veth' }],
  ['services', {}],
  ['none', {}],
] as const)('pods of an agent with the network %s reach themselves through Services with %j', (network, expected) => {
  const { 'kubelet-config.yaml': text = '' } = joinFiles({ ...JOINING, ...AGENT, network });
  const own = joinFiles({ ...JOINING, ...AGENT, network: 'none' })['kubelet-config.yaml'] ?? '';
  const parsed = (of: string): unknown => decodeYaml(Buffer.from(of)).value;
  expect(parsed(text)).toEqual(Object.assign({}, parsed(own), expected));
});

test('the script of a service installs a unit that does not kill pods', () => {
  const script = joinScript({ ...JOINING, ...AGENT, service: true });
  expect(script).toMatch(/ExecStart=\$program --bootstrap-kubeconfig=.*\n[^]*KillMode=process\n/);
  expect(script).toMatch(/systemctl enable --now davit-node-agent\n$/);
  expect(script).not.toContain('exec ');
});
