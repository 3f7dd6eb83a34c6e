import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { newNodeServer } from './node-server.ts';

const UPGRADE = 'POST /exec/n/p/c HTTP/1.1\r\nHost: node\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n';

/** The complete response to a client whose session URL the runtime has set to this URL. */
async function answerOf(url: string): Promise<string> {
  const [near, far] = duplexPair();
  const purpose = { verb: 'exec', podUID: 'u', container: 'c', user: 'jane' } as const;
  newNodeServer({ handle: async () => ({ session: 'bytes', url }), onFault: () => undefined }).accept(near, purpose);
  far.write(UPGRADE);
  return text(far);
}

describe('the runtime cannot send a client’s session', () => {
  test.each([
    ['to the metadata service', 'http://169.254.169.254/latest/meta-data/'],
    ['to that service over IPv6', 'http://[fd00:ec2::254]/latest/'],
    ['to that service as IPv4 in IPv6', 'http://[::ffff:169.254.169.254]/'],
    ['to another host', 'http://192.0.2.1:10250/exec/kube-system/x'],
    ['to a name', 'http://metadata.google.internal/'],
    ['to a name that looks like its own', 'http://localhost.example.com/'],
  ])('%s', async (_, url) => {
    expect(await answerOf(url)).toMatch(
      /^HTTP\/1.1 500 [^]*the runtime serves sessions at .*, which is not this machine\n$/,
    );
  });

  test.each(['nonsense', '', 'file:///etc/passwd', 'https://127.0.0.1/', 'http://'])('to %j', async (url) => {
    expect(await answerOf(url)).toMatch(/^HTTP\/1.1 500 /);
  });
});

// A URL cannot contain the interface of a link-local address.
const OWN = Object.values(networkInterfaces()).flatMap((all = []) =>
  all.flatMap(({ address }) => (address.startsWith('fe80') ? [] : [address])),
);

test.each(['localhost', ...OWN])('serves a session at %s, which is this machine', async (host) => {
  await using server = createServer((socket) => socket.resume().end('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  await once(server.listen(0), 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await answerOf(`http://${host.includes(':') ? `[${host}]` : host}:${port}/`)).toMatch(/^HTTP\/1.1 101 /);
});
