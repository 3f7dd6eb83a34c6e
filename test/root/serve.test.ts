import { readFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod } from './builders.ts';
import { HOST } from './setup.ts';
import { TestNode } from './test-node.ts';

const PORT = 10_250;
let node: TestNode;

beforeAll(async () => {
  node = await TestNode.start('--serve', '--rotate-server-certificates');
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

/** Runs kubectl, and returns its output. Throws if it fails. */
async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await node.kubectl(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}\n${node.log.slice(-3000)}`);
  return stdout;
}

/** A token of a new service account with these permissions on the subresources of nodes. */
async function tokenOf(name: string, verbs: string, subresources: string): Promise<string> {
  await kubectl('create', 'serviceaccount', name);
  if (subresources !== '') {
    await kubectl('create', 'clusterrole', name, `--verb=${verbs}`, `--resource=${subresources}`);
    await kubectl('create', 'clusterrolebinding', name, `--clusterrole=${name}`, `--serviceaccount=default:${name}`);
  }
  return (await kubectl('create', 'token', name)).trim();
}

interface Asked {
  readonly token?: string;
  readonly method?: string;
  /** Whether it requests an upgrade to WebSocket. */
  readonly upgrade?: boolean;
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol': 'v4.channel.k8s.io',
};

/** The status and text of a response from the node's port, whose certificate is verified. Rejects if the handshake fails. */
function get(path: string, { token, method = 'GET', upgrade = false }: Asked = {}): Promise<string> {
  const ca = readFileSync(join(node.folder, 'data/client-ca.crt'));
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(upgrade ? UPGRADE : {}),
  };
  const request = httpsRequest({ host: HOST, port: PORT, path, method, ca, headers, agent: false });
  const answered = Promise.withResolvers<string>();
  request
    .on('error', answered.reject)
    .on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      answered.resolve(`${statusCode}`);
    })
    .on('response', (response) => {
      void Array.fromAsync(response.setEncoding('utf8')).then((parts) =>
        answered.resolve(`${response.statusCode} ${parts.join('')}`),
      );
    });
  request.end();
  return answered.promise;
}

test('the port gets its certificate only after the request is approved', async () => {
  const path = 'jsonpath={.items[?(@.spec.signerName=="kubernetes.io/kubelet-serving")].metadata.name}';
  let request = '';
  await eventually(
    async () => (request = await kubectl('get', 'csr', '-o', path)) !== '',
    () => `the node asks for a serving certificate: ${node.log.slice(-2000)}`,
  );
  await expect(get('/healthz')).rejects.toThrow(/handshake failure/);
  await kubectl('certificate', 'approve', request);
  await eventually(
    () =>
      get('/healthz').then(
        () => true,
        () => false,
      ), // prettier-ignore
    () => `the certificate is in use: ${node.log.slice(-2000)}`,
  );
  expect(await kubectl('get', 'node', 'n1', '-o', 'jsonpath={.status.daemonEndpoints.kubeletEndpoint.Port}')).toBe(
    `${PORT}`,
  );
});

test('a client needs the fine-grained permission for each requested path', async () => {
  await node.apply(aPod('served'));
  const [nobody, monitoring, operator] = await Promise.all([
    tokenOf('nobody', '', ''),
    tokenOf('monitoring', 'get', 'nodes/metrics,nodes/stats,nodes/proxy'),
    tokenOf('operator', 'create', 'nodes/proxy'),
  ]);
  await kubectl('wait', '--for=condition=Ready', '--timeout=60s', 'pod/served');
  const user = 'user=system:serviceaccount:default:';
  const exec = '/exec/default/served/main?command=true&output=1';
  expect(await get('/metrics')).toBe('401 Unauthorized');
  expect(await get('/metrics', { token: 'none' })).toBe('401 Unauthorized');
  expect(await get('/metrics', { token: nobody })).toBe(
    `403 Forbidden (${user}nobody, verb=get, resource=nodes, subresource(s)=[metrics])\n`,
  );
  expect(await get('/pods', { token: nobody })).toContain('subresource(s)=[pods proxy])');
  expect(await get('/metrics/resource', { token: monitoring })).toMatch(
    /^200 .*\ncontainer_cpu_usage_seconds_total\{/s,
  );
  expect(await get('/stats/summary', { token: monitoring })).toMatch(/^200 .*"name":"served"/s);
  expect(await get('/pods', { token: monitoring })).toMatch(/^200 .*"name":"served"/s);
  expect(await get(exec, { token: monitoring, upgrade: true })).toBe(
    `403 Forbidden (${user}monitoring, verb=create, resource=nodes, subresource(s)=[proxy])\n`,
  );
  expect(await get(exec, { token: operator, upgrade: true })).toBe('101');
  expect(await get('/run/default/served/main?cmd=hostname', { token: operator, method: 'POST' })).toBe('200 served\n');
  expect(await get('/metrics', { token: operator })).toMatch(/^403 /);
});

test('the agent exports its own metrics', async () => {
  const token = await tokenOf('own-metrics', 'get', 'nodes/metrics');
  const text = await get('/metrics', { token });
  for (const line of [
    /^kubelet_node_name\{node="n1"\} 1$/m,
    /^kubelet_running_pods 1$/m,
    /^kubelet_running_containers\{container_state="running"\} 1$/m,
    /^kubernetes_build_info\{.*git_version="v1\.36/m,
    /^process_resident_memory_bytes \d+$/m,
    /^kubelet_http_requests_total\{long_running="false",method="GET",path="metrics",server_type="readwrite"\} [1-9]/m,
  ])
    expect(text).toMatch(line);
});

test("cAdvisor's metrics report the usage of containers and the network of their pods", async () => {
  const token = await tokenOf('cadvisor', 'get', 'nodes/metrics');
  const text = await get('/metrics/cadvisor', { token });
  const lines = text.split('\n').filter((line) => line.includes('namespace="default",pod="served"'));
  const valueOf = (name: string, container: string): number => {
    const found = lines.find((line) => line.startsWith(`${name}{container="${container}"`));
    return Number(found?.split(' ').at(-1));
  };
  expect(valueOf('container_cpu_usage_seconds_total', 'main')).toBeGreaterThan(0);
  expect(valueOf('container_memory_working_set_bytes', 'main')).toBeGreaterThan(0);
  expect(valueOf('container_start_time_seconds', 'main')).toBeGreaterThan(Date.now() / 1000 - 600);
  expect(valueOf('container_network_receive_bytes_total', '')).toBeGreaterThan(0);
  expect(text).toMatch(/^container_scrape_error 0$/m);
  expect(text).toMatch(/^machine_cpu_cores\{.*\} [1-9]/m);
});

test('the API server still reaches the node via its channel', async () => {
  expect(await kubectl('exec', 'served', '--', 'hostname')).toBe('served\n');
  await kubectl('delete', 'pod', 'served', '--timeout=60s');
});
