import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type Reaching, withPort } from '#test/support/backends/bench.ts';
import { aContainer } from '#test/support/backends/container.ts';
import { eventually } from '#test/support/eventually.ts';
import { startKubelet } from '#test/support/kubelet/kubelet.ts';
import { requester } from '#test/support/requester.ts';
import { WebSocketClient } from '#test/support/web-socket.ts';

const WATCH = '/api/v1/namespaces?watch=1';

async function reaching<T>(env: Readonly<Record<string, string>>, act: (server: Reaching) => Promise<T>): Promise<T> {
  const server = await aContainer({ env });
  try {
    return await act(server);
  } finally {
    await server.close();
    expect(server.faults).toEqual([]);
  }
}

test('a watch over a WebSocket takes a slot, and releases it', async () => {
  await reaching({ DAVIT_WATCH_SLOTS: '1' }, async (server) => {
    const first = await WebSocketClient.open(server, WATCH);
    expect(await first.next()).toMatch(/^1:\{"type":"ADDED"/);
    await expect(WebSocketClient.open(server, WATCH)).rejects.toThrow(/^429 \{"kind":"Status"/);
    await expect(WebSocketClient.open(server, WATCH, { origin: '' })).rejects.toThrow(/^403$/);
    first.close();
    const again = async (): Promise<boolean> =>
      WebSocketClient.open(server, WATCH).then(
        (socket) => {
          socket.leave();
          return true;
        },
        () => false,
      );
    await eventually(async () => expect(await again()).toBe(true));
  });
});

test('a watch behind a web function, which forwards single requests, ends immediately', async () => {
  await reaching({ DAVIT_FRONT_DOOR: 'web-function' }, async (server) => {
    await expect(WebSocketClient.open(server, WATCH)).rejects.toThrow(/^200$/);
  });
});

test('the WebSocket of Node reads a log', async () => {
  const kubelet = await startKubelet();
  const { client, caBundle } = kubelet.options;
  const env = {
    DAVIT_NODE_ROUTE: 'true',
    DAVIT_KUBELET_CLIENT_CERTIFICATE: client.certificate,
    DAVIT_KUBELET_CLIENT_KEY: client.key,
    DAVIT_KUBELET_CERTIFICATE_AUTHORITY: caBundle,
  };
  await reaching(env, async (server) => {
    const ask = requester(server);
    const spec = { nodeName: 'n', containers: [{ name: 'main', image: 'i' }] };
    await ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    await ask('POST', '/api/v1/nodes', { metadata: { name: 'n' }, status: withPort(kubelet.port) as JsonObject });
    await ask('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'web' }, spec });
    kubelet.on('/containerLogs/', { request: (_, response) => response.end('of the container') });
    const url = `${server.url.replace('http', 'ws')}/api/v1/namespaces/default/pods/web/log`;
    for (const protocols of [[], ['base64.binary.k8s.io']]) {
      const headers = { authorization: `Bearer ${server.adminToken}` };
      const socket = new WebSocket(url, { protocols, headers });
      socket.binaryType = 'arraybuffer';
      const told: string[] = [];
      socket.addEventListener('message', ({ data }) => void told.push(textOf(data)));
      const [{ code, wasClean }] = (await once(socket, 'close')) as [CloseEvent];
      expect([told, code, wasClean, socket.protocol]).toEqual([
        ['', 'of the container'],
        1000,
        true,
        protocols[0] ?? '',
      ]);
    }
  });
  await kubelet.close();
});

const textOf = (data: unknown): string =>
  data instanceof ArrayBuffer ? Buffer.from(data).toString() : Buffer.from(String(data), 'base64').toString();
