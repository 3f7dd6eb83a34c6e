import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { duplexOf } from '#adapters/server/kubelet/stream.ts';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import { newAuthority } from '#local/certs.ts';
import { ChannelAgent } from '#test/support/channel-agent.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { useCluster } from './cluster.ts';
import { describeStreams } from './kubectl/kubectl.ts';

const authority: Authority = await newAuthority(new Date());
const use = () => useCluster({ metricsApi: { resolution: 60_000 }, clientCa: authority.certificate });
const MI = 1024 * 1024;
const BEGUN = Date.now() - 3_600_000;

/** The usage of the containers on the node, in cores and bytes. */
const CONTAINERS = [
  ['default', 'web', 'main', 0.25, 10 * MI],
  ['default', 'web', 'side', 0.125, 5 * MI],
  ['team', 'db', 'main', 1, 100 * MI],
] as const;

/** The metrics of the node in the kubelet's format, with the time of the measurement. */
function metrics(): string {
  const now = Date.now();
  const used = (cores: number): string => `${(cores * (now - BEGUN)) / 1000} ${now}`;
  const lines = CONTAINERS.flatMap(([namespace, pod, container, cores, bytes]) => {
    const labels = `{container="${container}",namespace="${namespace}",pod="${pod}"}`;
    return [
      `container_cpu_usage_seconds_total${labels} ${used(cores)}`,
      `container_memory_working_set_bytes${labels} ${bytes} ${now}`,
      `container_start_time_seconds${labels} ${BEGUN / 1000}`,
    ];
  });
  const node = [`node_cpu_usage_seconds_total ${used(1.5)}`, `node_memory_working_set_bytes ${1024 * MI} ${now}`];
  return [...node, ...lines, ''].join('\n');
}

/** Splits rows into words. */
const rows = (text: string): string[] => text.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));

describeStreams(use, 'metrics of nodes and pods', (kubectl, cluster) => {
  const asked: (string | undefined)[] = [];
  const http = createServer((request, response) => {
    asked.push(request.url);
    response.setHeader('content-type', 'text/plain; version=0.0.4').end(metrics());
  });
  let agent: ChannelAgent;
  let send: Requester;
  beforeAll(async () => {
    const { server } = cluster();
    send = requester(server);
    agent = await ChannelAgent.start({
      server,
      authority,
      node: 'n1',
      accept: (_, stream) => void http.emit('connection', duplexOf(stream)),
    });
    await eventually(() => expect(agent.states.length).toBeGreaterThan(0));
    const resources = { cpu: '4', memory: '4Gi', pods: '110' };
    for (const name of ['n1', 'n2'])
      await send('POST', '/api/v1/nodes', {
        metadata: { name, labels: { 'example.com/is': name } },
        status: { capacity: resources, allocatable: resources },
      });
    await kubectl().run('create namespace team');
    for (const namespace of ['default', 'team'])
      await send('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
    await aPod('default', 'web', ['main', 'side'], 'n1');
    await aPod('default', 'far', ['main'], 'n2');
    await aPod('team', 'db', ['main'], 'n1');
  });
  afterAll(async () => {
    await agent[Symbol.asyncDispose]();
    http.close();
  });

  async function aPod(namespace: string, name: string, containers: readonly string[], nodeName: string) {
    const spec = { nodeName, containers: containers.map((container) => ({ name: container, image: 'i' })) };
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await send('POST', pods, { metadata: { name, labels: { app: name } }, spec });
    await send('PATCH', `${pods}/${name}/status`, { status: { phase: 'Running' } });
  }

  test('no node is scraped until a client requests metrics', async () => {
    await eventually(async () =>
      expect(await kubectl().run('get apiservices v1beta1.metrics.k8s.io')).toContain('True'),
    );
    expect(await kubectl().run('api-resources --api-group=metrics.k8s.io -o name')).toBe(
      'nodes.metrics.k8s.io\npods.metrics.k8s.io',
    );
    expect(asked).toEqual([]);
  });

  test('top nodes is correct on the first call, and reports unknown values', async () => {
    const [head, ...nodes] = rows(await kubectl().run('top nodes'));
    expect(head).toMatch(/^NAME CPU\(cores\)/);
    expect(nodes).toEqual(['n1 1500m 37% 1024Mi 25%', 'n2 <unknown> <unknown> <unknown> <unknown>']);
    expect(asked).toEqual(['/metrics/resource', '/metrics/resource']);
  });

  test.each([
    ['top pods', ['web 375m 15Mi']],
    ['top pods --containers', ['web main 250m 10Mi', 'web side 125m 5Mi']],
    ['top pods -A --sort-by=cpu', ['team db 1000m 100Mi', 'default web 375m 15Mi']],
    ['top pods -A -l app=db', ['team db 1000m 100Mi']],
    ['top pod web', ['web 375m 15Mi']],
    [
      'top pods -A --sum --sort-by=memory',
      ['team db 1000m 100Mi', 'default web 375m 15Mi', '________ ________', '1375m 115Mi'],
    ],
    ['top pods -A --field-selector=metadata.namespace=team', ['team db 1000m 100Mi']],
    ['top node n1', ['n1 1500m 37% 1024Mi 25%']],
    ['top nodes -l example.com/is=n1', ['n1 1500m 37% 1024Mi 25%']],
  ])('kubectl prints %s', async (command, expected) => {
    expect(rows(await kubectl().run(command)).slice(1)).toEqual(expected);
  });

  test('all of them share one pair of scrapes', () => expect(asked).toHaveLength(2));

  test.each([
    ['get podmetrics none', 'pods "none" not found'],
    ['get podmetrics far', 'podmetrics.metrics.k8s.io "default/far" not found'],
    ['get nodemetrics none', 'nodes "none" not found'],
    ['get nodemetrics n2', 'nodemetrics.metrics.k8s.io "n2" not found'],
    ['delete podmetrics web', 'the server does not allow this method on the requested resource'],
  ])('rejects kubectl %s', async (command, message) => {
    expect(await kubectl().fails(command)).toContain(message);
  });

  test('objects and columns are those of metrics-server', async () => {
    const [head, row = ''] = rows(await kubectl().run('get podmetrics'));
    expect(head).toBe('NAME CPU MEMORY WINDOW');
    expect(row).toMatch(/^web 375m 15Mi 2\.\d+s$/);
    expect(await kubectl().json('get podmetrics web')).toEqual({
      apiVersion: 'metrics.k8s.io/v1beta1',
      kind: 'PodMetrics',
      metadata: {
        name: 'web',
        namespace: 'default',
        labels: { app: 'web' },
        creationTimestamp: expect.stringMatching(/Z$/),
      },
      timestamp: expect.stringMatching(/Z$/),
      window: expect.stringMatching(/^2\.\d+s$/),
      containers: [
        { name: 'main', usage: { cpu: '250m', memory: '10Mi' } },
        { name: 'side', usage: { cpu: '125m', memory: '5Mi' } },
      ],
    });
  });

  test('only users who may view a namespace may read the metrics of its pods', async () => {
    await kubectl().run('create rolebinding ann --clusterrole=view --user=ann -n team');
    await eventually(async () => expect((await kubectl().try('top pods -n team --as=ann')).code).toBe(0));
    expect(await kubectl().fails('top pods --as=ann')).toContain(
      'cannot list resource "pods" in API group "metrics.k8s.io"',
    );
  });

  test('an APIService with a Service replaces the API, and its deletion restores it', async () => {
    const service = `apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec:
  service: {name: metrics-server, namespace: kube-system}
  group: metrics.k8s.io
  version: v1beta1
  insecureSkipTLSVerify: true
  groupPriorityMinimum: 100
  versionPriority: 100
`;
    await kubectl().run(`apply -f ${kubectl().file('metrics-server.yaml', service)}`);
    await eventually(async () => expect((await send('GET', '/apis/metrics.k8s.io/v1beta1/nodes')).status).toBe(503));
    expect(await kubectl().run('get apiservices v1beta1.metrics.k8s.io')).toContain('kube-system/metrics-server');
    await kubectl().run('delete apiservices v1beta1.metrics.k8s.io');
    await eventually(async () => expect((await kubectl().try('top nodes')).code).toBe(0));
    expect(await kubectl().run('get apiservices v1beta1.metrics.k8s.io')).toContain('Local');
  });
});
