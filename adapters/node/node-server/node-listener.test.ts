import { once } from 'node:events';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { connect } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Authority, authorityOf } from '#lib/controllers/certificates/issue.ts';
import { type KeyPair, newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { type NodeRequest, textAnswer } from '#lib/node/kubelet/server/node-request.ts';
import { NodeListener } from './node-listener.ts';

let authority: Authority;
let serving: KeyPair;
let listener: NodeListener;
let requests: NodeRequest[];

beforeAll(async () => {
  authority = authorityOf(await newSigner(new Date()), new Date());
  serving = await authority.issue({ name: 'system:node:n1' }, ['127.0.0.1']);
});

beforeEach(async () => {
  requests = [];
  listener = await NodeListener.listen({
    address: '127.0.0.1',
    port: 0,
    tls: { minVersion: 'TLSv1.3' },
    async handle(request) {
      requests.push(request);
      return textAnswer(418, 'tea');
    },
    onFault: (error) => expect.fail(String(error)),
    certificateOf: () => ({ commonName: 'jane', organizations: [], signedBy: ['client'], sha256: '', notAfter: 0 }),
  });
});
afterEach(async () => {
  await listener[Symbol.asyncDispose]();
});

/** Requests a path and returns the text of the response. Rejects if the handshake fails. */
async function get(path: string, more: RequestOptions = {}): Promise<string> {
  const { port } = listener;
  const request = httpsRequest({ host: '127.0.0.1', port, path, ca: authority.certificate, agent: false, ...more });
  const answered = Promise.withResolvers<string>();
  request.on('error', answered.reject).on('response', (response) => {
    void Array.fromAsync(response.setEncoding('utf8')).then((parts) => answered.resolve(parts.join('')));
  });
  request.end();
  return answered.promise;
}

describe('the port of a node', () => {
  test('accepts no handshake before it has a certificate, and uses the certificate afterwards', async () => {
    await expect(get('/')).rejects.toThrow(/handshake failure/);
    listener.use({ pair: serving, clientCA: '' });
    expect(await get('/healthz')).toBe('tea');
    expect(requests[0]).toMatchObject({ path: '/healthz', clientCertificate: { commonName: 'jane' } });
    expect(requests[0]).not.toHaveProperty('purpose');
  });

  test('keeps its certificate if the key of a new one does not match', async () => {
    listener.use({ pair: serving, clientCA: '' });
    const { key } = await authority.issue({ name: 'other' });
    expect(() => listener.use({ pair: { ...serving, key }, clientCA: '' })).toThrow(/key values mismatch/);
    expect(await get('/')).toBe('tea');
  });

  test('serves another certificate from the next handshake on', async () => {
    const next = await authority.issue({ name: 'next' }, ['127.0.0.1']);
    const names: string[] = [];
    for (const pair of [serving, next]) {
      listener.use({ pair, clientCA: '' });
      const socket = connect({ host: '127.0.0.1', port: listener.port, ca: authority.certificate });
      await once(socket, 'secureConnect');
      names.push(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    }
    expect(names).toEqual(['system:node:n1', 'next']);
  });

  test('rejects TLS versions below the minimum', async () => {
    listener.use({ pair: serving, clientCA: '' });
    await expect(get('/', { maxVersion: 'TLSv1.2' })).rejects.toThrow(/protocol version/);
  });

  test('ends even with idle connections', async () => {
    listener.use({ pair: serving, clientCA: '' });
    const socket = connect({ host: '127.0.0.1', port: listener.port, ca: authority.certificate });
    await once(socket, 'secureConnect');
    const closed = once(
      socket.on('error', () => undefined),
      'close',
    );
    await listener[Symbol.asyncDispose]();
    await closed;
    listener = await NodeListener.listen({
      address: '127.0.0.1',
      port: 0,
      tls: { minVersion: 'TLSv1.2' },
      handle: async () => textAnswer(200, ''),
      onFault: () => undefined,
      certificateOf: () => undefined,
    });
  });
});
