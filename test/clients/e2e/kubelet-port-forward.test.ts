import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { describeStreams } from './kubectl/kubectl.ts';
import { idle, TRANSPORTS, useNode } from './kubelet.ts';
import type { RunningProgram } from './program.ts';

/** A server that sends its name and then echoes its input. */
async function echo(name: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(`${name}:`);
    socket.pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Sends a text to a local port and returns the response. */
async function asked(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(sent);
  return text(socket);
}

/** The local ports that kubectl listens on. */
async function listening(program: RunningProgram, count: number): Promise<number[]> {
  await program.says(new RegExp(`(127.0.0.1:\\d+[^]*){${count}}`));
  return [...program.stdout.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port));
}

let first: Server;
let second: Server;
beforeAll(async () => {
  [first, second] = await Promise.all([echo('first'), echo('second')]);
});
afterAll(() => {
  for (const server of [first, second]) server.close();
});

const use = () => useNode({ web: { containers: [idle('main')] } });

describeStreams(use, 'port-forward', (kubectl, cluster) => {
  const made = async (path: string, object: object): Promise<void> => {
    const { status, body } = await cluster().request('POST', path, JSON.parse(JSON.stringify(object)));
    if (status !== 201) throw new Error(String(body['message']));
  };
  beforeAll(async () => {
    const ports = [{ name: 'http', port: 80, targetPort: portOf(first) }];
    await made('/api/v1/namespaces/default/services', {
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports },
    });
    const template = { metadata: { labels: { app: 'many' } }, spec: { nodeName: 'n1', containers: [idle('main')] } };
    const spec = { replicas: 2, selector: { matchLabels: { app: 'many' } }, template };
    await made('/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'many' }, spec });
    await eventually(async () =>
      expect((await kubectl().run('get pods -l app=many')).split('Running')).toHaveLength(3),
    );
  });

  describe.each(TRANSPORTS)('port-forward over $title', ({ env, upgrade }) => {
    const start = (command: string) => kubectl().start(`port-forward ${command}`, { env });

    test('forwards connections to a port, concurrently and one after another', async () => {
      await using program = start(`web :${portOf(first)}`);
      const [port = 0] = await listening(program, 1);
      expect(await Promise.all(['a', 'b', 'c'].map((one) => asked(port, one)))).toEqual([
        'first:a',
        'first:b',
        'first:c',
      ]);
      const much = 'x'.repeat(2_000_000);
      expect(await asked(port, much)).toBe(`first:${much}`);
      const protocol = kubectl().version === '1.29' ? 'SPDY/3.1' : upgrade; // kubectl 1.29 cannot forward ports over WebSockets
      expect(cluster().kubelet.upgrades.at(-1)).toMatch(new RegExp(`^${protocol} /portForward/default/web`));
      expect(await program.ended('SIGINT')).toMatchObject({ stderr: '' });
    });

    test('forwards two ports', async () => {
      await using program = start(`pod/web :${portOf(first)} :${portOf(second)}`);
      const [one = 0, two = 0] = await listening(program, 2);
      expect([await asked(one, 'a'), await asked(two, 'b')]).toEqual(['first:a', 'second:b']);
    });

    test.each(['service/web :80', 'service/web :http'])('finds a pod and its port for %s', async (service) => {
      await using program = start(service);
      const [port = 0] = await listening(program, 1);
      expect(await asked(port, 'a')).toBe('first:a');
    });

    test('finds a pod of a Deployment', async () => {
      await using program = start(`deployment/many :${portOf(second)}`);
      const [port = 0] = await listening(program, 1);
      expect(await asked(port, 'a')).toBe('second:a');
    });

    test('reports why a port is closed', async () => {
      await using program = start('web :1');
      const [port = 0] = await listening(program, 1);
      await asked(port, 'a').catch(() => {});
      await eventually(
        () => program.stderr.includes('error forwarding port 1 to pod'),
        () => program.stderr,
      );
      expect(program.stderr).toContain('failed to connect to localhost:1: connect ECONNREFUSED');
    });
  });
});
