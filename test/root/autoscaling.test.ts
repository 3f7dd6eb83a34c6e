import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aWorkload, shell } from './builders.ts';
import { TestNode } from './test-node.ts';

/** Keeps the processor busy while /tmp/busy exists. */
const ON_DEMAND =
  'trap "exit 0" TERM; while :; do if [ -e /tmp/busy ]; then i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; else sleep 0.2; fi; done';
const REQUESTS = { cpu: '50m', memory: '32Mi' };
let node: TestNode;

beforeAll(async () => {
  node = await TestNode.startWith({ server: ['--metrics-api', '--metric-resolution=10s'] });
});
afterAll(() => node[Symbol.asyncDispose]());

/** A workload of one replica, and an autoscaler that scales it to two while its pods use more of the resource than they request. */
function scaled(name: string, resource: 'cpu' | 'memory'): readonly object[] {
  const containers = [
    shell(ON_DEMAND, {
      resources: { requests: REQUESTS, limits: { cpu: '300m' } },
      volumeMounts: [{ name: 'shm', mountPath: '/shm' }],
    }),
  ];
  const volumes = [{ name: 'shm', emptyDir: { medium: 'Memory' } }];
  const template = {
    metadata: { labels: { app: name } },
    spec: { terminationGracePeriodSeconds: 1, containers, volumes },
  };
  const scaler = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: 1,
      maxReplicas: 2,
      metrics: [
        { type: 'Resource', resource: { name: resource, target: { type: 'Utilization', averageUtilization: 100 } } },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
    },
  };
  return [aWorkload('Deployment', name, { replicas: 1, template }), scaler];
}

/** Resolves when both workloads have as many replicas, all of them ready. */
async function haveReplicas(count: number): Promise<void> {
  let last = '';
  const path = 'jsonpath={range .items[*]}{.spec.replicas}/{.status.readyReplicas} {end}';
  await eventually(
    async () => {
      last = await node.output('describe', 'hpa');
      return (await node.output('get', 'deployments', '-o', path)).trim() === `${count}/${count} ${count}/${count}`;
    },
    () => last,
  );
}

/** Runs a command in the oldest pod of a workload. */
async function inFirst(name: string, script: string): Promise<void> {
  const [pod = ''] = (
    await node.output('get', 'pods', '-l', `app=${name}`, '--sort-by=.metadata.creationTimestamp', '-o', 'name')
  ).split('\n');
  await node.output('exec', pod, '--', 'sh', '-c', script);
}
/** The sum over the pods of a workload in millicores and MiB, according to kubectl top. */
async function usageOf(name: string): Promise<{ readonly cpu: number; readonly memory: number }> {
  const { stdout } = await node.kubectl('top', 'pods', '-l', `app=${name}`, '--no-headers');
  const rows = [...stdout.matchAll(/ (\d+)m +(\d+)Mi/g)];
  const sum = (part: number): number => rows.reduce((all, row) => all + Number(row[part]), 0);
  return rows.length === 0 ? { cpu: -1, memory: -1 } : { cpu: sum(1), memory: sum(2) };
}

test('replicas follow CPU and memory usage, up and down', async () => {
  await node.apply(...scaled('computes', 'cpu'), ...scaled('remembers', 'memory'));
  for (const name of ['computes', 'remembers'])
    await node.output('rollout', 'status', `deployment/${name}`, '--timeout=120s');
  await eventually(async () => expect((await usageOf('computes')).cpu).toBeGreaterThanOrEqual(0));
  expect((await usageOf('computes')).cpu).toBeLessThan(50);
  expect(await node.output('top', 'node', 'n1', '--no-headers')).toMatch(/^n1 +\d+m +\d+% +\d+Mi +\d+%/);

  await inFirst('computes', 'touch /tmp/busy');
  await inFirst('remembers', 'dd if=/dev/zero of=/shm/filled bs=1M count=80');
  await haveReplicas(2);
  await eventually(async () => expect((await usageOf('computes')).cpu).toBeGreaterThan(150));
  await eventually(async () => expect((await usageOf('remembers')).memory).toBeGreaterThanOrEqual(80));

  await inFirst('computes', 'rm /tmp/busy');
  await inFirst('remembers', 'rm /shm/filled');
  await haveReplicas(1);
});
