import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startKubelet } from '#test/support/kubelet/kubelet.ts';
import { type Bench, PODS, withPort } from './bench.ts';

/** Tests nodes that do not respond. */
export function saysWhyNot(on: Bench): void {
  describe('a kubelet that cannot be reached', () => {
    test('because its port has no listener', async () => {
      await on.aNode('closed', withPort(1));
      await on.aPod('astray', 'closed', 'main');
      expect(await on.ask('GET', `${PODS}/astray/log`)).toBe(
        '500 Get "https://127.0.0.1:1/containerLogs/default/astray/main": dial tcp 127.0.0.1:1: connect: connection refused',
      );
    });

    test('because it has no address', async () => {
      await on.aNode('nowhere', { addresses: [{ type: 'Other', address: 'x' }] });
      await on.aPod('lost', 'nowhere', 'main');
      expect(await on.ask('GET', `${PODS}/lost/log`)).toBe(
        '500 no preferred addresses found; known addresses: [{Other x}]',
      );
    });

    test("because its address is a metadata service's", async () => {
      await on.aNode('metadata', { addresses: [{ type: 'InternalIP', address: '169.254.169.254' }] });
      await on.aPod('spy', 'metadata', 'main');
      expect(await on.ask('GET', `${PODS}/spy/log`)).toContain('link-local and metadata addresses are not called');
    });

    test('because it accepts connections and sends nothing', async () => {
      const silent = createServer(() => {});
      await once(silent.listen(0, '127.0.0.1'), 'listening');
      const { port } = silent.address() as AddressInfo;
      await on.aNode('silent', withPort(port));
      await on.aPod('mute', 'silent', 'main');
      expect(await on.ask('GET', `${PODS}/mute/log`)).toMatch(/: dial tcp 127.0.0.1:\d+: i\/o timeout$/);
      silent.close();
    });

    test('because it does not support TLS', async () => {
      const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      await once(plain.listen(0, '127.0.0.1'), 'listening');
      await on.aNode('plain', withPort((plain.address() as AddressInfo).port));
      await on.aPod('bare', 'plain', 'main');
      expect(await on.ask('GET', `${PODS}/bare/log`)).toMatch(/first record does not look like a TLS handshake$/);
      plain.close();
    });

    test('because another authority signed its certificate, unless the client skips verification', async () => {
      const other = await startKubelet();
      await on.aNode('other', other.nodeStatus);
      await on.aPod('foreign', 'other', 'main');
      expect(await on.ask('GET', `${PODS}/foreign/log`)).toMatch(/x509: certificate signed by unknown authority$/);
      await other.close();
    });
  });
}
