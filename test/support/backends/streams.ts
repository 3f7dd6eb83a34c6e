import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { type Bench, PODS, received } from './bench.ts';

/** `pods/exec`, `pods/attach` and `pods/portforward`. */
export function streams(on: Bench): void {
  describe('a stream to a container', () => {
    test('carries the bytes of both sides, including those sent ahead', async () => {
      on.kubelet.on('/exec/default/web/main', {
        upgrade: (incoming, socket) => {
          socket.write(`HTTP/1.1 101 Switching Protocols\r\nupgrade: SPDY/3.1\r\nconnection: Upgrade\r\n\r\nhello`);
          socket.pipe(socket);
          expect(incoming.method).toBe('POST');
        },
      });
      const socket = await on.stream('exec?command=ls&command=-l&stdin=true', 'SPDY/3.1');
      await received(socket, /^HTTP\/1.1 101 [^]*hello$/);
      socket.write('ping');
      await received(socket, /^ping$/);
      expect(on.kubelet.asked.at(-1)).toBe('/exec/default/web/main?command=ls&command=-l&error=1&input=1&output=1');
      expect(on.kubelet.headers()).not.toHaveProperty('authorization');
      socket.destroy();
      await eventually(() => expect(on.kubelet.connections()).toBe(0));
    });

    test('is audited when it begins and when it ends', async () => {
      on.kubelet.on('/exec/default/web/main', {
        upgrade: (_, socket) =>
          void socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: SPDY/3.1\r\nconnection: Upgrade\r\n\r\n'),
      });
      const stages = (): Promise<string[]> => on.audited('exec?command=audited');
      const socket = await on.stream('exec?command=audited', 'SPDY/3.1');
      await received(socket, /^HTTP\/1.1 101 /);
      expect(await stages()).toEqual(['RequestReceived', 'ResponseStarted 101']);
      socket.destroy();
      await eventually(async () =>
        expect(await stages()).toEqual(['RequestReceived', 'ResponseStarted 101', 'ResponseComplete 101']),
      );
    });

    test('ends for the client when the kubelet ends it', async () => {
      on.kubelet.on('/portForward/default/web', {
        upgrade: (_, socket) =>
          void socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: SPDY/3.1\r\nconnection: Upgrade\r\n\r\nbye'),
      });
      const socket = await on.stream('portforward', 'SPDY/3.1');
      const closed = once(socket, 'close');
      await received(socket, /bye$/);
      await closed;
    });

    test('is rejected as the kubelet rejects it', async () => {
      on.kubelet.on('/attach/default/web/main', {
        upgrade: (_, socket) => void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno'),
      });
      await received(await on.stream('attach', 'websocket'), /^HTTP\/1.1 403 [^]*no$/);
    });

    test('requires a protocol upgrade', async () => {
      expect(await on.ask('POST', `${PODS}/web/exec?command=ls`)).toBe('400 Upgrade request required');
    });

    test('is rejected for a user without the create permission', async () => {
      const socket = await on.stream('exec', 'websocket', 'nobody');
      await received(socket, /^HTTP\/1.1 401 /);
    });
  });
}
