import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { isPeerOpen } from './peer-socket.ts';

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const IPV4 = [{ title: 'IPv4', listens: '127.0.0.1', dials: '127.0.0.1' }];
const IPV6 = [
  { title: 'IPv6', listens: '::1', dials: '::1' },
  { title: 'IPv4 on an IPv6 socket', listens: '::', dials: '127.0.0.1' },
];

describe.each(hasIPv6 ? [...IPV4, ...IPV6] : IPV4)(
  'the other end of a connection over $title',
  ({ listens, dials }) => {
    async function pair(): Promise<{ near: Socket; far: Socket }> {
      const server = createServer({ allowHalfOpen: true });
      await once(server.listen(0, listens), 'listening');
      const near = connect({ host: dials, port: (server.address() as AddressInfo).port, allowHalfOpen: true }).pause();
      const [far] = (await once(server, 'connection')) as [Socket];
      server.close();
      if (near.connecting) await once(near, 'connect');
      return { near, far };
    }

    test('is open until its process closes it, even if its output was never read', async () => {
      const { near, far } = await pair();
      expect(await isPeerOpen(near)).toBe(true);
      const closed = once(far, 'close');
      far.write('unread', () => far.destroy());
      await closed;
      expect(await isPeerOpen(near)).toBe(false);
      near.destroy();
    });

    test('is open after this end has sent its last byte', async () => {
      const { near, far } = await pair();
      near.end();
      await once(far.resume(), 'end');
      expect(await isPeerOpen(near)).toBe(true);
      far.destroy();
      near.destroy();
    });

    test('is closed once this end is destroyed', async () => {
      const { near, far } = await pair();
      near.destroy();
      expect(await isPeerOpen(near)).toBe(false);
      far.destroy();
    });
  },
);
