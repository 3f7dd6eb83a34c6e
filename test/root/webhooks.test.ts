import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { eventually } from '#test/support/eventually.ts';
import { aPod, aWorkload, shell } from './builders.ts';
import { TestNode } from './test-node.ts';

/** A resource that no node has. The scheduler asks the extender about pods that request it. */
const FITS = 'hooks.example.com/fits';
const folder = mkdtempSync(join(tmpdir(), 'davit-webhooks-'));
let node: TestNode;
let caBundle = '';

beforeAll(async () => {
  const authority = await newAuthority(new Date());
  const { certificate, key } = await authority.issue({ name: 'hooks' }, ['hooks.default.svc']);
  caBundle = Buffer.from(authority.certificate).toString('base64');
  const extender = {
    urlPrefix: 'https://hooks.default.svc/scheduler',
    filterVerb: 'filter',
    enableHTTPS: true,
    tlsConfig: { caData: caBundle },
    nodeCacheCapable: true,
    managedResources: [{ name: FITS, ignoredByScheduler: true }],
  };
  const kind = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
  writeFileSync(join(folder, 'scheduler.yaml'), JSON.stringify({ ...kind, extenders: [extender] }));
  node = await TestNode.startWith({ server: [`--scheduler-config=${join(folder, 'scheduler.yaml')}`] });
  const stringData = { 'tls.crt': certificate, 'tls.key': key };
  const ports = [{ name: 'https', port: 443, targetPort: 8443 }];
  await node.apply(
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'certs' }, stringData },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'hooks' }, spec: { selector: { app: 'hooks' }, ports } },
    hooks(),
  );
  await node.output('rollout', 'status', 'deployment/hooks', '--timeout=60s');
  const ready = 'jsonpath={.items[*].endpoints[*].conditions.ready}';
  const labelled = ['-l', 'kubernetes.io/service-name=hooks'];
  await eventually(async () =>
    expect(await node.output('get', 'endpointslices', ...labelled, '-o', ready)).toBe('true'),
  );
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

/** The server's Deployment, which runs one file with this machine's Node.js and its libraries. */
function hooks(): object {
  const folders = {
    hooks: join(import.meta.dirname, 'webhooks'),
    node: dirname(process.execPath),
    lib: '/lib',
    lib64: '/lib64',
  };
  const paths = { hooks: '/hooks', node: '/node', lib: '/lib', lib64: '/lib64', certs: '/certs' };
  const container = {
    ...shell(''),
    command: ['/node/node', '/hooks/server.ts'],
    readinessProbe: { tcpSocket: { port: 8443 }, periodSeconds: 1 },
    volumeMounts: Object.entries(paths).map(([name, mountPath]) => ({ name, mountPath, readOnly: true })),
  };
  const volumes = [
    ...Object.entries(folders).map(([name, path]) => ({ name, hostPath: { path } })),
    { name: 'certs', secret: { secretName: 'certs' } },
  ];
  const template = {
    metadata: { labels: { app: 'hooks' } },
    spec: { terminationGracePeriodSeconds: 1, containers: [container], volumes },
  };
  return aWorkload('Deployment', 'hooks', { template });
}

const clientConfig = (path: string): object => ({ caBundle, service: { namespace: 'default', name: 'hooks', path } });

const admissionWebhook = (kind: 'Mutating' | 'Validating', path: string, more: object = {}): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name: 'hooks' },
  webhooks: [
    {
      name: 'hooks.example.com',
      clientConfig: clientConfig(path),
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      objectSelector: { matchLabels: { hooked: 'yes' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...more,
    },
  ],
});

const aConfigMap = (name: string, word: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { hooked: 'yes' } },
  data: { word },
});

/** The processes that have a connection to the server in the pod. */
async function callers(): Promise<string[]> {
  const address = await node.output('get', 'pods', '-l', 'app=hooks', '-o', 'jsonpath={.items[0].status.podIP}');
  const shown = execFileSync('ss', ['-Htnp', 'state', 'established', 'dst', address, 'dport', '=', ':8443']).toString();
  return [...new Set([...shown.matchAll(/pid=(\d+)/g)].map(([, pid = '']) => pid))];
}

test('admission webhooks in a pod are called by the agent’s connection alone', async () => {
  await node.apply(admissionWebhook('Mutating', '/mutate'), admissionWebhook('Validating', '/admit'));
  await node.apply(aConfigMap('good', 'good'));
  const seen = 'jsonpath={.metadata.annotations.hooks\\.example\\.com/seen}';
  expect(await node.output('get', 'configmap', 'good', '-o', seen)).toBe('yes');
  await expect(node.apply(aConfigMap('bad', 'bad'))).rejects.toThrow(
    'admission webhook "hooks.example.com" denied the request: a bad word',
  );
  expect(await callers()).toEqual([String(node.agentPid)]);
});

test('a webhook in a pod that does not respond costs no more than its timeout', async () => {
  await node.apply(admissionWebhook('Validating', '/slow', { timeoutSeconds: 1 }));
  await expect(node.apply(aConfigMap('slow', 'good'))).rejects.toThrow(
    'failed calling webhook "hooks.example.com": failed to call webhook: Post "https://hooks.default.svc:443/slow?timeout=1s": context deadline exceeded',
  );
  await node.output('delete', 'validatingwebhookconfiguration', 'hooks');
});

test('a conversion webhook in a pod converts', async () => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: clientConfig('/convert'), conversionReviewVersions: ['v1'] },
  };
  await node.apply({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'sites.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'sites', singular: 'site', kind: 'Site', listKind: 'SiteList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema },
        { name: 'v2', served: true, storage: false, schema },
      ],
      conversion,
    },
  });
  await node.output('wait', '--for=condition=Established', 'crd/sites.example.com', '--timeout=60s');
  await node.apply({ apiVersion: 'example.com/v1', kind: 'Site', metadata: { name: 'a' }, spec: { host: 'here' } });
  const hosts = 'jsonpath={.spec.hosts[0]}';
  expect(await node.output('get', 'sites.v2.example.com', 'a', '-o', hosts)).toBe('here');
});

test('calls a scheduler extender in a pod behind a Service', async () => {
  const resources = { requests: { [FITS]: 1 }, limits: { [FITS]: 1 } };
  await node.apply(aPod('asks', '', { containers: [shell('sleep 1000', { resources })] }));
  await node.output('wait', '--for=condition=PodScheduled', 'pod/asks', '--timeout=60s');
  expect(await node.output('logs', 'deployment/hooks')).toContain('/scheduler/filter');
});

test('calls the new pod of a webhook after the previous one is deleted', async () => {
  await node.apply(admissionWebhook('Mutating', '/mutate'));
  await node.output('delete', 'pod', '-l', 'app=hooks', '--timeout=60s');
  const isCalled = (): Promise<boolean> =>
    node.apply(aConfigMap('again', 'good')).then(
      () => true,
      () => false,
    );
  await eventually(isCalled);
  expect(await callers()).toEqual([String(node.agentPid)]);
});
