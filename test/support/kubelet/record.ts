// Records what kubectl exchanges with a real kubelet by this project's API server, for
// test/clients/e2e/kubelet-recorded.test.ts. It starts a server of its own whose node is a tap before the kubelet, with another tap before
// itself, and writes one file for each stream to test/support/fixtures/kubelet.
//
//   node test/support/kubelet/record.ts --kubelet 10.0.0.1:10250 --certificate client.crt --key client.key --namespace streams --pod web \
//     --about 'kubelet 1.36.2, containerd 1.6.20'
//
// The certificate is one whose user the kubelet lets do everything. The pod runs on that kubelet and has two containers of busybox:
// `main` runs `nc -ll -p 8080 -e cat`, `cat` runs `cat` with `stdin: true`. Its namespace is none that a cluster begins with.

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { newAuthority } from '#local/certs.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { RunningProgram, runProgram } from '#test/clients/e2e/program.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { requester } from '#test/support/requester.ts';
import { formatExchange, splitHeads } from './exchange.ts';
import { startTap, type Tap } from './tap.ts';

const { values } = parseArgs({
  options: Object.fromEntries(
    ['kubelet', 'certificate', 'key', 'namespace', 'pod', 'about'].map((name) => [name, { type: 'string' as const }]),
  ),
});
const option = (name: string): string => {
  const value = values[name];
  if (typeof value !== 'string') throw new Error(`--${name} is required`);
  return value;
};

const FIXTURES = join(import.meta.dirname, '../fixtures/kubelet');
const [namespace, pod] = [option('namespace'), option('pod')];
const folder = mkdtempSync(join(tmpdir(), 'davit-record-'));
const kubectl = pathOf(await newestKubectl());

/** Runs kubectl in the pod's namespace. */
const command = (args: readonly string[], env: Record<string, string>, input = '') =>
  runProgram(kubectl, ['-n', namespace, ...args], { env: { ...environment, ...env }, input });
const environment = { HOME: folder, KUBECONFIG: join(folder, 'kubeconfig') };

const SH = ['exec', '-i', pod, '-c', 'main', '--', 'sh', '-c', 'cat; echo wrong >&2; exit 3'];
const SCENARIOS: readonly (readonly [
  file: string,
  title: string,
  act: (env: Record<string, string>) => Promise<unknown>,
])[] = [
  ['exec', 'exec -i', (env) => command(SH, env, 'hello\n')],
  ['attach', 'attach -i', attach],
  ['port-forward', 'port-forward, two connections', (env) => forward(8080, env, ['one', 'two'])],
  ['port-forward-closed', 'port-forward to a closed port', (env) => forward(1, env, ['one'])],
];

/** Sends a line and detaches after a second, when the line has been echoed. */
function attach(env: Record<string, string>): Promise<unknown> {
  const script = `(echo hello; sleep 1) | ${kubectl} -n ${namespace} attach -i ${pod} -c cat`;
  return runProgram('sh', ['-c', script], { env: { ...environment, ...env } });
}

/** Forwards a port and sends each text on a separate connection. */
async function forward(port: number, env: Record<string, string>, texts: readonly string[]): Promise<void> {
  const args = ['-n', namespace, 'port-forward', pod, `:${port}`];
  await using program = new RunningProgram(kubectl, args, { env: { ...environment, ...env } });
  await program.says(/from 127.0.0.1:\d+/);
  const local = Number(/127.0.0.1:(\d+)/.exec(program.stdout)?.[1]);
  for (const text of texts) {
    const socket = connect(local, '127.0.0.1');
    socket.write(text);
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.end();
    if (!socket.closed) await once(socket, 'close');
  }
  await program.ended('SIGINT');
}

/** Clients before 1.30 use version 4 of the protocol, which cannot end the standard input. */
async function byVersion4(port: number, token: string): Promise<string> {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'; // the tap's certificate
  const query = new URLSearchParams({ container: 'main', stdin: 'true', stdout: 'true', stderr: 'true' });
  for (const word of ['sh', '-c', 'read line; echo $line; echo wrong >&2; exit 3']) query.append('command', word);
  const options = { protocols: ['v4.channel.k8s.io'], headers: { authorization: `Bearer ${token}` } };
  const socket = new WebSocket(
    `wss://127.0.0.1:${port}/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query}`,
    options,
  );
  socket.binaryType = 'arraybuffer';
  let said = '';
  socket.addEventListener('open', () => socket.send(Buffer.from('\0hello\n')));
  socket.addEventListener('message', ({ data }) => void (said += Buffer.from(data as ArrayBuffer).toString()));
  await once(socket, 'close');
  return said;
}

async function serve(tap: Tap): Promise<RunningApiserver> {
  const server = await startApiserver({ controllers: false, scheduler: false });
  const ask = requester(server);
  const made = async (path: string, object: object): Promise<void> => {
    const { status, body } = await ask('POST', path, JSON.parse(JSON.stringify(object)));
    if (status !== 201) throw new Error(String(body['message']));
  };
  const containers = ['main', 'cat'].map((name) => ({ name, image: 'busybox', stdin: name === 'cat' }));
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: tap.port } },
  };
  await made('/api/v1/nodes', { metadata: { name: 'n1' }, status });
  await made('/api/v1/namespaces', { metadata: { name: namespace } });
  await made(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  await made(`/api/v1/namespaces/${namespace}/pods`, { metadata: { name: pod }, spec: { nodeName: 'n1', containers } });
  await ask('PATCH', `/api/v1/namespaces/${namespace}/pods/${pod}/status`, { status: { phase: 'Running' } });
  return server;
}

/** The upgraded connection among those since `from`. */
function streamOf(tap: Tap, from: number): ReturnType<typeof splitHeads> {
  const found = tap.connections.slice(from).find((one) => /^upgrade:/im.test(one[0]?.bytes.toString('latin1') ?? ''));
  if (found === undefined) throw new Error('nothing was streamed');
  return splitHeads(found);
}

const wayOf = (stream: ReturnType<typeof splitHeads>, way: 'there' | 'back'): string =>
  Buffer.concat(stream.pieces.filter((one) => one.way === way).map(({ bytes }) => bytes)).toString('hex');

async function record(
  file: string,
  title: string,
  taps: { client: Tap; kubelet: Tap },
  act: () => Promise<unknown>,
): Promise<void> {
  const [first, second] = [taps.client.connections.length, taps.kubelet.connections.length];
  const outcome = await act();
  const client = streamOf(taps.client, first);
  const kubelet = streamOf(taps.kubelet, second);
  for (const way of ['there', 'back'] as const)
    if (!wayOf(client, way).startsWith(wayOf(kubelet, way)) && !wayOf(kubelet, way).startsWith(wayOf(client, way)))
      throw new Error(`${file}: the bytes ${way} differ between both connections`);
  const request = client.request.replace(/^authorization:.*\r\n/im, '');
  const exchange = {
    title: `${title}; ${option('about')}`,
    request,
    passedOn: kubelet.request,
    answer: kubelet.answer,
    passedBack: client.answer,
    pieces: kubelet.pieces,
  };
  writeFileSync(join(FIXTURES, `${file}.txt`), formatExchange(exchange));
  console.log(file, outcome ?? '');
}

const authority = await newAuthority(new Date());
const { certificate: cert, key } = await authority.issue({ name: 'tap' }, ['127.0.0.1']);
const [host = '', port = ''] = option('kubelet').split(':');
const shown = { cert: readFileSync(option('certificate'), 'utf8'), key: readFileSync(option('key'), 'utf8') };
await using kubelet = await startTap({ cert, key }, { host, port: Number(port), ...shown, rejectUnauthorized: false });
await using server = await serve(kubelet);
await using client = await startTap(
  { cert, key },
  { host: '127.0.0.1', port: server.port, ca: server.certificateAuthority },
);
const config = kubeconfigOf({
  name: 'tap',
  server: `https://127.0.0.1:${client.port}`,
  insecure: true,
  user: { token: server.adminToken },
});
writeFileSync(environment.KUBECONFIG, config, { mode: 0o600 });
mkdirSync(FIXTURES, { recursive: true });
const taps = { client, kubelet };
const version = /v[\d.]+/.exec((await runProgram(kubectl, ['version', '--client'])).stdout)?.[0] ?? '';
for (const [file, title, act] of SCENARIOS) {
  const by = (value: string) =>
    act({ KUBECTL_REMOTE_COMMAND_WEBSOCKETS: value, KUBECTL_PORT_FORWARD_WEBSOCKETS: value });
  await record(`${file}-websocket`, `kubectl ${version} ${title}, by a WebSocket`, taps, () => by('true'));
  await record(`${file}-spdy`, `kubectl ${version} ${title}, by SPDY`, taps, () => by('false'));
}
await record('exec-v4', 'exec by a WebSocket of v4.channel.k8s.io', taps, () =>
  byVersion4(client.port, server.adminToken),
);
rmSync(folder, { recursive: true });
