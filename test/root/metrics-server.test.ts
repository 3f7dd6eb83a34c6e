import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathOf } from '#test/support/clients/cache.ts';
import { buildMetricsServer, metricsServerManifest } from '#test/support/clients/metrics-server.ts';
import { eventually } from '#test/support/eventually.ts';
import { needing, skipUnless } from '#test/support/skip.ts';
import { aPod, aWorkload, shell } from './builders.ts';
import { ctr } from './container-runtime.ts';
import { imageArchive } from './images.ts';
import { TestNode } from './test-node.ts';

const IS_FULL = process.env['DAVIT_FULL'] !== undefined;
const API_SERVICE = 'v1beta1.metrics.k8s.io';
const IMAGE = 'localhost/metrics-server';
const needed = IS_FULL ? [await buildMetricsServer(), await metricsServerManifest()] : [];
const needs = IS_FULL ? needing(...needed) : skipUnless(false, 'runs with DAVIT_FULL=1');

/** Upstream's manifest with this machine's image, and with the CA of nodes, which is not that of the API server. */
const KUSTOMIZATION = {
  resources: ['base'],
  images: [{ name: 'gcr.io/k8s-staging-metrics-server/metrics-server', newName: IMAGE, newTag: '1' }],
  patches: [
    {
      target: { kind: 'Deployment' },
      patch: JSON.stringify(
        [
          ['containers/0/args/-', '--kubelet-certificate-authority=/nodes/client-ca-file'],
          ['containers/0/volumeMounts/-', { name: 'nodes', mountPath: '/nodes' }],
          ['volumes/-', { name: 'nodes', configMap: { name: 'extension-apiserver-authentication' } }],
        ].map(([path, value]) => ({ op: 'add', path: `/spec/template/spec/${path}`, value })),
      ),
    },
  ],
};

/** Builds the image, and writes the modified manifest. Returns the folder. */
function manifestIn(folder: string): string {
  const [program = '', base = ''] = needed.map(pathOf);
  const files = { 'bin/metrics-server': program };
  ctr('images', 'import', imageArchive({ name: `${IMAGE}:1`, entrypoint: ['/bin/metrics-server'], files }));
  const made = join(folder, 'metrics-server');
  mkdirSync(made);
  cpSync(base, join(made, 'base'), { recursive: true });
  writeFileSync(join(made, 'kustomization.yaml'), JSON.stringify(KUSTOMIZATION));
  return made;
}

/** A workload that uses more processor time than it requests, and an autoscaler that therefore adds a second replica. */
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

test('upstream’s metrics-server replaces the server’s own metrics, which return afterwards', needs, async () => {
  await using node = await TestNode.startWith({
    agent: ['--serve', '--rotate-server-certificates'],
    server: ['--metrics-api'],
  });
  const names = 'jsonpath={.items[?(@.spec.signerName=="kubernetes.io/kubelet-serving")].metadata.name}';
  let request = '';
  await eventually(async () => expect((request = await node.output('get', 'csr', '-o', names))).not.toBe(''));
  await node.output('certificate', 'approve', request);
  const { deployment, scaler } = busy();
  await node.apply(aPod('measured'), deployment);
  await node.output('wait', '--for=condition=Ready', '--timeout=60s', 'pod/measured');
  const top = () => node.kubectl('top', 'pod', 'measured', '--no-headers');
  const isMeasured = async (): Promise<boolean> => /^measured +\d+m +\d+Mi\s*$/.test((await top()).stdout);
  const measured = async (): Promise<unknown> =>
    shape(JSON.parse(await node.output('get', 'podmetrics', 'measured', '-o', 'json')));
  await eventually(isMeasured);
  const ours = await measured();

  const manifest = manifestIn(node.folder);
  await node.output('apply', '-k', manifest);
  const inSystem = ['-n', 'kube-system', 'deployment/metrics-server'];
  const told = async (): Promise<string> => (await node.kubectl('logs', ...inSystem)).stdout.slice(-4000);
  const service = (): Promise<string> => node.output('get', 'apiservice', API_SERVICE, '--no-headers');
  await node.output('rollout', 'status', '--timeout=100s', ...inSystem);
  await eventually(async () => expect(await service()).toMatch(/ kube-system\/metrics-server +True /));
  await eventually(isMeasured);
  expect(await measured()).toEqual(ours);
  expect(await node.output('top', 'nodes', '--no-headers')).toMatch(/^n1 +\d+m +\d+% +\d+Mi +\d+%/);
  await node.apply(scaler);
  const replicas = ['get', 'deployment', 'busy', '-o', 'jsonpath={.status.readyReplicas}'];
  await eventually(async () => expect(await node.output(...replicas)).toBe('2'));
  expect(await told()).not.toMatch(/^[EF]\d/m);

  await node.output('scale', '--replicas=0', ...inSystem);
  await eventually(async () => expect((await top()).code).not.toBe(0));
  expect(await service()).toMatch(/ kube-system\/metrics-server +False /);
  await node.output('delete', '-k', manifest);
  await eventually(async () =>
    expect((await node.kubectl('get', 'apiservice', API_SERVICE)).stdout).toContain('Local'),
  );
  await eventually(isMeasured);
});
