import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { pathOf } from '#test/clients/cache.ts';
import { buildMetricsServer } from '#test/clients/metrics-server.ts';
import { RunningProgram } from '#test/e2e/program.ts';
import { needing, skipUnless } from '#test/skip.ts';
import { until } from '#test/until.ts';
import { aPod, aWorkload, shell } from './builders.ts';
import { HOST } from './setup.ts';
import { TestNode } from './test-node.ts';

const IS_FULL = process.env['DAVIT_FULL'] !== undefined;
const PORT = 4443;
const API_SERVICE = 'v1beta1.metrics.k8s.io';
const program = IS_FULL ? await buildMetricsServer() : { missing: 'DAVIT_FULL' };
const needs = IS_FULL ? needing(program) : skipUnless(false, 'runs with DAVIT_FULL=1');

const named = (kind: string, name: string, more: object, apiVersion = 'rbac.authorization.k8s.io/v1'): object => ({
  apiVersion,
  kind,
  metadata: { name, ...(/^(RoleBinding|Service|ServiceAccount)$/.test(kind) ? { namespace: 'kube-system' } : {}) },
  ...more,
});
const bound = (kind: string, name: string, roleKind: string, role: string): object =>
  named(kind, name, {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: role },
    subjects: [{ kind: 'ServiceAccount', name: 'metrics-server', namespace: 'kube-system' }],
  });

/** The objects of upstream's manifest, with the process of this machine as the endpoint. */
const MANIFEST: readonly object[] = [
  named('ServiceAccount', 'metrics-server', {}, 'v1'),
  named('ClusterRole', 'system:metrics-server', {
    rules: [
      { apiGroups: [''], resources: ['nodes/metrics'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] },
    ],
  }),
  bound('ClusterRoleBinding', 'system:metrics-server', 'ClusterRole', 'system:metrics-server'),
  bound('ClusterRoleBinding', 'metrics-server:system:auth-delegator', 'ClusterRole', 'system:auth-delegator'),
  bound('RoleBinding', 'metrics-server-auth-reader', 'Role', 'extension-apiserver-authentication-reader'),
  named('Service', 'metrics-server', { spec: { ports: [{ name: 'https', port: 443, targetPort: PORT }] } }, 'v1'),
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: 'metrics-server',
      namespace: 'kube-system',
      labels: { 'kubernetes.io/service-name': 'metrics-server' },
    },
    addressType: 'IPv4',
    ports: [{ name: 'https', port: PORT }],
    endpoints: [{ addresses: [HOST] }],
  },
  named(
    'APIService',
    API_SERVICE,
    {
      spec: {
        service: { name: 'metrics-server', namespace: 'kube-system' },
        group: 'metrics.k8s.io',
        version: 'v1beta1',
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    },
    'apiregistration.k8s.io/v1',
  ),
];

/** A kubeconfig of the service account. */
async function kubeconfigOf(node: TestNode): Promise<string> {
  const token = (await node.output('create', 'token', 'metrics-server', '-n', 'kube-system')).trim();
  const own = parse(readFileSync(node.server.kubeconfig, 'utf8')) as { readonly users: readonly { name: string }[] };
  const path = join(node.folder, 'metrics-server.kubeconfig');
  writeFileSync(path, stringify({ ...own, users: own.users.map(({ name }) => ({ name, user: { token } })) }), {
    mode: 0o600,
  });
  return path;
}

/** A workload that uses more of a processor than it requests, and an autoscaler that gives it a second replica for that. */
function busy() {
  const resources = { requests: { cpu: '50m' }, limits: { cpu: '200m' } };
  const spec = { terminationGracePeriodSeconds: 1, containers: [shell('while :; do :; done', { resources })] };
  const target = { type: 'Utilization', averageUtilization: 100 };
  const follow = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'busy' },
    maxReplicas: 2,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
  };
  return {
    deployment: aWorkload('Deployment', 'busy', { template: { metadata: { labels: { app: 'busy' } }, spec } }),
    scaler: { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'busy' }, spec: follow },
  };
}

/** The fields of an object and their types, without the values. */
const shape = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? typeof value
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shape(one)]));

test('upstream’s metrics-server takes the place of the server’s own metrics, and gives it back', needs, async () => {
  await using node = await TestNode.startWith({
    agent: ['--serve', '--rotate-server-certificates'],
    server: ['--metrics-api'],
  });
  const names = 'jsonpath={.items[?(@.spec.signerName=="kubernetes.io/kubelet-serving")].metadata.name}';
  let request = '';
  await until(async () => (request = await node.output('get', 'csr', '-o', names)) !== '');
  await node.output('certificate', 'approve', request);
  const { deployment, scaler } = busy();
  await node.apply(aPod('measured'), deployment);
  await node.output('wait', '--for=condition=Ready', '--timeout=60s', 'pod/measured');
  const top = () => node.kubectl('top', 'pod', 'measured', '--no-headers');
  const isMeasured = async (): Promise<boolean> => /^measured +\d+m +\d+Mi\s*$/.test((await top()).stdout);
  const measured = async (): Promise<unknown> =>
    shape(JSON.parse(await node.output('get', 'podmetrics', 'measured', '-o', 'json')));
  await until(isMeasured);
  const ours = await measured();

  await node.apply(...MANIFEST);
  const kubeconfig = await kubeconfigOf(node);
  const running = new RunningProgram(pathOf(program), [
    ...['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map((flag) => `--${flag}=${kubeconfig}`),
    `--secure-port=${PORT}`,
    `--cert-dir=${join(node.folder, 'metrics-server')}`,
    '--kubelet-use-node-status-port',
    '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
    `--kubelet-certificate-authority=${join(node.folder, 'data/client-ca.crt')}`,
    '--metric-resolution=15s',
  ]);
  try {
    const told = (): string => running.stderr.slice(-4000);
    const service = async (): Promise<string> => node.output('get', 'apiservice', API_SERVICE, '--no-headers');
    await until(async () => / kube-system\/metrics-server +True /.test(await service()), told);
    await until(isMeasured, told);
    expect(await measured()).toEqual(ours);
    expect(await node.output('top', 'nodes', '--no-headers')).toMatch(/^n1 +\d+m +\d+% +\d+Mi +\d+%/);
    await node.apply(scaler);
    const replicas = ['get', 'deployment', 'busy', '-o', 'jsonpath={.status.readyReplicas}'];
    await until(async () => (await node.output(...replicas)) === '2', told);
  } finally {
    await running[Symbol.asyncDispose]();
  }
  expect(await top()).toMatchObject({ code: 1, stdout: '' });

  await node.output('delete', 'apiservice', API_SERVICE);
  await until(async () => (await node.output('get', 'apiservices')).includes(`${API_SERVICE} `));
  expect(await node.output('get', 'apiservice', API_SERVICE)).toContain('Local');
  await until(isMeasured);
});
