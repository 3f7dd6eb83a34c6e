import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TcpDialer } from './tcp-dialer.ts';

const server = createServer((socket) => socket.end('hello'));
let port = 0;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());

const isForbidden = (address: string): boolean => ['169.254.169.254', 'fd00:ec2::254'].includes(address);
const never = new AbortController().signal;
const dialer = (...addresses: string[]): TcpDialer =>
  new TcpDialer({ isForbidden, isProxyable: () => true, resolve: async () => addresses });

test('dials the checked address, even if the name has another one a moment later', async () => {
  const answers = [['127.0.0.1'], ['169.254.169.254']];
  const rebinding = new TcpDialer({ isForbidden, resolve: async () => answers.shift() ?? [] });
  const { incoming } = await rebinding.dial({ host: 'rebinding.example', port, globalOnly: false }, never);
  const [first] = await Array.fromAsync(incoming, String);
  expect(first).toBe('hello');
  expect(answers).toHaveLength(1);
});

test.each<[string[], boolean, string]>([
  [['169.254.169.254'], false, 'link-local and metadata addresses are not called'],
  [['fd00:ec2::254', '169.254.169.254'], false, 'link-local and metadata addresses are not called'],
  [[], false, 'dial tcp: lookup a.example: no such host'],
  [['10.0.0.1', '127.0.0.1'], true, 'address not allowed'],
  [['10.0.0.1', '::ffff:127.0.0.1'], true, 'address not allowed'],
])('does not dial a name with the addresses %j', async (addresses, globalOnly, why) => {
  const strict = new TcpDialer({ isForbidden, resolve: async () => addresses });
  await expect(strict.dial({ host: 'a.example', port: 1, globalOnly }, never)).rejects.toThrow(why);
});

test('writes an IPv6 address in brackets', async () => {
  await expect(dialer().dial({ host: 'fd00:ec2::254', port: 80, globalOnly: false }, never)).rejects.toThrow(
    'dial tcp [fd00:ec2::254]:80: link-local',
  );
});

test.each([0, -1, 65_536, 2 ** 31, 1.5, Number.NaN])('rejects port %d', async (number) => {
  await expect(dialer('127.0.0.1').dial({ host: 'a', port: number, globalOnly: false }, never)).rejects.toThrow(
    `dial tcp: address ${number}: invalid port`,
  );
});

test('ends at once if the caller gives up during a lookup', async () => {
  const silent = new TcpDialer({ isForbidden, resolve: () => new Promise(() => {}) });
  const gone = new AbortController();
  const dialled = silent.dial({ host: 'a.example', port, globalOnly: false }, gone.signal);
  gone.abort(new Error('gone'));
  await expect(dialled).rejects.toThrow('gone');
});
