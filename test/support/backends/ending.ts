import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { Bench, PODS, received, type Start } from './bench.ts';

const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: SPDY/3.1\r\nconnection: Upgrade\r\n\r\n';

/** Tests the streams of a server that is shutting down. */
export function ends(start: Start): void {
  describe('a server that ends', () => {
    const on = new Bench(start);
    beforeAll(() => {
      on.kubelet.on('/containerLogs/', { request: (_, response) => void response.write('first') });
      on.kubelet.on('/exec/', { upgrade: (_, socket) => void socket.write(`${SWITCHED}first`) });
      on.kubelet.on('/portForward/', { upgrade: (_, socket) => void socket.write(SWITCHED + 'x'.repeat(1 << 24)) });
    });

    test('ends open streams as if they were complete, writes the audit log, and does not wait for clients to disconnect', async () => {
      const [log] = (await once(on.get(`${PODS}/web/log?follow=true`), 'response')) as [IncomingMessage];
      const text = log.setEncoding('utf8').toArray();
      const exec = await on.stream('exec?command=ended', 'SPDY/3.1');
      await received(exec, /first$/);
      const unread = await on.stream('portforward?ports=1234', 'SPDY/3.1');
      unread.pause();
      await eventually(async () => expect(await on.audited('portforward?ports=1234')).toContain('ResponseStarted 101'));
      const execEnds = once(exec, 'end');
      exec.resume();
      await on.end();
      expect((await text).join('')).toBe('first');
      expect(log.complete).toBe(true);
      await execEnds;
      expect(exec.errored).toBeNull();
      await eventually(() => expect(on.kubelet.connections()).toBe(0));
      expect(await on.audited('exec?command=ended')).toContain('ResponseComplete 101');
      expect(await on.audited('log?follow=true')).toContain('ResponseComplete 200');
      expect(await on.audited('portforward?ports=1234')).toContain('ResponseComplete 101');
      unread.destroy();
    });
  });
}
