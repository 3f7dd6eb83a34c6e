import { execFileSync, spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { runProgram } from '#test/clients/e2e/program.ts';
import { ctr } from '../container-runtime.ts';

/** The port of every backend. */
export const PORT = 8080;

/** Servers of the host, each at its own address, which return that address and the client's. */
export class Backends implements AsyncDisposable {
  readonly #servers: Server[] = [];
  readonly #sockets: Socket[] = [];

  /** Serves HTTP and UDP at addresses that are added to the host's bridge. */
  static async at(...addresses: readonly string[]): Promise<Backends> {
    const backends = new Backends();
    for (const address of addresses) {
      execFileSync('ip', ['address', 'replace', `${address}/24`, 'dev', 'host0']);
      await backends.#serve(address);
    }
    return backends;
  }

  async #serve(address: string): Promise<void> {
    // Clients may keep connections for any time.
    const server = createServer({ keepAliveTimeout: 0 }, (asked, response) =>
      response.end(`${address} ${asked.socket.remoteAddress}`),
    );
    server.listen(PORT, address);
    const socket = createSocket('udp4');
    socket.on('message', (_, { port, address: client }) => socket.send(address, port, client));
    socket.bind(PORT, address);
    await Promise.all([once(server, 'listening'), once(socket, 'listening')]);
    this.#servers.push(server);
    this.#sockets.push(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.close();
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

/** The address of the backend that responds at a URL of this host. Returns the error's code if none responds within two seconds. */
export const ask = (host: string, port = 80): Promise<string> =>
  new Promise((resolve) => {
    const asked = request({ host, port, agent: false, timeout: 2000 }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve(body.split(' ')[0] ?? ''));
    });
    asked.on('timeout', () => {
      resolve('timeout');
      asked.destroy();
    });
    asked.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    asked.end();
  });

/** The addresses of the backends that respond to this many requests. */
export async function askMany(host: string, port = 80, times = 24): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: times }, () => ask(host, port)));
  return [...new Set(answers)].toSorted();
}

/** A UDP client with a fixed port, so that its packets belong to one flow. */
export class UdpClient implements Disposable {
  readonly #socket = createSocket('udp4');
  #last = '';

  constructor() {
    this.#socket.on('message', (message) => (this.#last = message.toString()));
  }

  /** Sends another packet to the address, and returns the backend that responded last. */
  async ask(host: string, port = 80): Promise<string> {
    this.#socket.send('?', port, host);
    await new Promise((resolve) => setImmediate(resolve));
    return this.#last;
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

/** A script that prints the page at a URL. */
const GET = `require('node:http').get(process.argv[1], { timeout: 2000, agent: false }, (page) => page.pipe(process.stdout))
  .on('timeout', () => process.exit(1)).on('error', () => process.exit(1));`;

/** The address of the client outside the node. */
export const OUTSIDE = '10.100.0.50';

/** Creates a network namespace next to the host's. Its packets come from outside the node. */
export function makeOutside(): void {
  const commands = [
    'netns add outside',
    'link add out0 type veth peer name eth0 netns outside',
    'link set out0 master host0 up',
    'netns exec outside ip link set lo up',
    `netns exec outside ip addr add ${OUTSIDE}/24 dev eth0`,
    'netns exec outside ip link set eth0 up',
    'netns exec outside ip route add default via 10.100.0.1',
    `route add default via ${OUTSIDE}`, // as on real hosts: packets to Services are routed before their destination is rewritten
  ];
  for (const command of commands) execFileSync('ip', command.split(' '), { stdio: 'pipe' });
}

/** The text of a web page, requested in that namespace; '' if none arrives within two seconds. */
export async function pageFromOutside(url: string): Promise<string> {
  const command = ['netns', 'exec', 'outside', process.execPath, '-e', GET, url];
  return (await runProgram('ip', command)).stdout;
}

/** The text of a web page, requested in a pod's network by its first process; '' if none arrives within two seconds. */
export async function pageFromPod(pid: number, url: string): Promise<string> {
  return (await runProgram('nsenter', ['-t', String(pid), '-n', process.execPath, '-e', GET, url])).stdout;
}

/**
 * Sends a request to the API server at its ClusterIP, with a name from its certificate. Prints the status and the body, or the code of the
 * error.
 */
const ASK = `const { name, token, ca } = JSON.parse(process.env.ASKED);
require('node:https').get({ host: '10.96.0.1', path: '/apis/authentication.k8s.io/v1', servername: name, ca,
  headers: { host: name, authorization: 'Bearer ' + token }, timeout: 5000, agent: false },
  (answer) => { process.stdout.write(answer.statusCode + ' '); answer.pipe(process.stdout); })
  .on('error', (error) => console.log(error.code));`;

/** The response of the API server, requested in the network of a pod by its first process. */
export const askFromPod = (
  pid: number,
  asked: { readonly name: string; readonly token: string; readonly ca: string },
): string =>
  spawnSync('nsenter', ['-t', String(pid), '-n', process.execPath, '-e', ASK], {
    encoding: 'utf8',
    env: { ASKED: JSON.stringify(asked) },
  }).stdout;

/** The process of a container. */
export function pidOf(container: string): number {
  const line = ctr('tasks', 'ls')
    .split('\n')
    .find((one) => one.startsWith(container));
  return Number(line?.split(/\s+/)[1]);
}
