import { describe, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { WebSocketClient } from '#test/support/web-socket.ts';
import { type Bench, PODS } from './bench.ts';

const LOG = `${PODS}/web/log`;

/** Tests WebSockets on which only the server sends messages: `pods/log`, and watches. */
export function webSockets(on: Bench): void {
  const open = (path: string, protocol = ''): Promise<WebSocketClient> =>
    WebSocketClient.open(on.server, path, { origin: '', 'sec-websocket-protocol': protocol });

  describe('the log of a container as a WebSocket', () => {
    test.each([
      ['no subprotocol', '', undefined, ['2:', '2:one\ntwo\n']],
      ['binary messages', 'binary.k8s.io', 'binary.k8s.io', ['2:', '2:one\ntwo\n']],
      ['base64', 'base64.binary.k8s.io', 'base64.binary.k8s.io', ['1:', `1:${btoa('one\ntwo\n')}`]],
      [
        'the first that is known',
        'x, base64.binary.k8s.io, binary.k8s.io',
        'base64.binary.k8s.io',
        ['1:', `1:${btoa('one\ntwo\n')}`],
      ],
    ])("in %s is the kubelet's response, after an empty message", async (_, offered, agreed, frames) => {
      on.kubelet.on('/containerLogs/default/web/main', { request: (_request, response) => response.end('one\ntwo\n') });
      const socket = await open(`${LOG}?tailLines=5`, offered);
      expect(socket.answer.headers['sec-websocket-protocol']).toBe(agreed);
      expect([await socket.next(), await socket.next()]).toEqual(frames);
      expect([await socket.next(), await socket.next()]).toEqual(['8:1000', 'end']);
      expect(on.kubelet.asked.at(-1)).toBe('/containerLogs/default/web/main?tailLines=5');
      expect(on.kubelet.headers()).not.toHaveProperty('upgrade');
    });

    test('ends at the kubelet when the client closes, and is audited then', async () => {
      let isOver = false;
      on.kubelet.on('/containerLogs/default/web/main', {
        request: (_, response) => void response.once('close', () => (isOver = true)).write('first'),
      });
      const stages = (): Promise<string[]> => on.audited('log?follow=1');
      const socket = await open(`${LOG}?follow=1`);
      expect([await socket.next(), await socket.next()]).toEqual(['2:', '2:first']);
      expect(await stages()).toEqual(['RequestReceived', 'ResponseStarted 101']);
      socket.close();
      expect([await socket.next(), await socket.next()]).toEqual(['8:1000', 'end']);
      await eventually(() => expect(isOver).toBe(true));
      await eventually(async () =>
        expect(await stages()).toEqual(['RequestReceived', 'ResponseStarted 101', 'ResponseComplete 101']),
      );
    });

    test('ends at the kubelet when the client disconnects', async () => {
      on.kubelet.on('/containerLogs/default/web/main', { request: (_, response) => void response.write('first') });
      const socket = await open(`${LOG}?follow=true`);
      expect([await socket.next(), await socket.next()]).toEqual(['2:', '2:first']);
      socket.leave();
      await eventually(() => expect(on.kubelet.connections()).toBe(0));
    });

    test('does not close cleanly if the kubelet breaks off', async () => {
      on.kubelet.on('/containerLogs/default/web/main', {
        request: ({ socket: connection }, response) => response.write('first', () => void connection.destroy()),
      });
      const socket = await open(LOG);
      expect([await socket.next(), await socket.next(), await socket.next()]).toEqual(['2:', '2:first', 'end']);
    });

    test('does not fill the memory if the client reads nothing', async () => {
      let written = 0;
      let isHeld = false;
      on.kubelet.on('/containerLogs/default/web/main', {
        request: (_, response) => {
          const more = (): void => {
            while (response.write(Buffer.alloc(1 << 20))) written += 1 << 20;
            isHeld = true;
            response.once('drain', more);
          };
          more();
        },
      });
      const socket = await open(`${LOG}?follow=true`);
      await eventually(() => expect(isHeld).toBe(true));
      expect(written).toBeLessThan(64 << 20);
      socket.leave();
      await eventually(() => expect(on.kubelet.connections()).toBe(0));
    });

    test('is rejected over HTTP, as the kubelet rejects it', async () => {
      on.kubelet.on('/containerLogs/default/web/main', {
        request: (_, response) => response.writeHead(403).end('no such thing'),
      });
      await expect(open(LOG)).rejects.toThrow(/^403 \{"kind":"Status".*no such thing \( pods\/log web\)/);
      await expect(open(`${PODS}/none/log`)).rejects.toThrow(/^404 \{"kind":"Status"/);
    });

    test('is rejected before the kubelet is called if no subprotocol is acceptable', async () => {
      const asked = on.kubelet.asked.length;
      await expect(open(LOG, 'channel.k8s.io')).rejects.toThrow(/^403$/);
      expect(on.kubelet.asked.length).toBe(asked);
    });
  });

  test('a watch as a WebSocket is audited when it begins and when it ends', async () => {
    const stages = (): Promise<string[]> => on.audited('configmaps?watch=1');
    const headers = { origin: 'https://console.test' };
    const socket = await WebSocketClient.open(on.server, '/api/v1/configmaps?watch=1', headers);
    expect(await stages()).toEqual(['RequestReceived', 'ResponseStarted 101']);
    socket.close();
    await eventually(async () =>
      expect(await stages()).toEqual(['RequestReceived', 'ResponseStarted 101', 'ResponseComplete 101']),
    );
    socket.leave();
  });
}
