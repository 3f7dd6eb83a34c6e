import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requester } from '#test/support/requester.ts';
import { type Bench, type Reaching, textOf } from './bench.ts';

/** `nodes/proxy`. */
export function proxies(on: Bench): void {
  describe('a proxied request', () => {
    test('is passed to a node with path, query, method and body, and without credentials', async () => {
      on.kubelet.on('/x', {
        request: (incoming, response) => {
          let body = '';
          incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
          incoming.on('end', () => {
            response.writeHead(418, { 'x-mine': 'yes', connection: 'close', 'access-control-allow-origin': '*' });
            response.end(`${incoming.method} ${incoming.url} ${body}`);
          });
        },
      });
      const answer = await on.request('POST', '/api/v1/nodes/n1/proxy/x/a%20b/../c/?q=1&q=2', { a: 1 });
      expect(textOf(answer)).toBe('418 POST /x/c/?q=1&q=2 {"a":1}');
      expect(on.kubelet.headers()).not.toHaveProperty('authorization');
      expect(on.kubelet.headers()).toMatchObject({ 'x-forwarded-for': '127.0.0.1' });
      expect(on.kubelet.client()).toBe('apiserver');
    });

    test('passes on OPTIONS like any other method, and rejects methods unknown to the API', async () => {
      on.kubelet.on('/methods', { request: ({ method }, response) => response.end(method) });
      expect(textOf(await on.request('OPTIONS', '/api/v1/nodes/n1/proxy/methods'))).toBe('200 OPTIONS');
      expect((await on.request('TRACE', '/api/v1/nodes/n1/proxy/methods')).status).toBe(405);
    });

    test('requires only the permission for nodes/proxy with the verb of its method', async () => {
      on.kubelet.on('/metrics', { request: (_, response) => response.end('metrics') });
      await on.grant('reader', ['nodes/proxy'], ['get']);
      await on.grant('scraper', ['nodes/metrics', 'nodes/stats', 'nodes/pods', 'nodes/healthz'], ['get', 'create']);
      const path = '/api/v1/nodes/n1/proxy/metrics';
      const asked = async (user: string, method: string): Promise<string> =>
        textOf(await requester(on.server, { 'impersonate-user': user })(method, path));
      const refused = (user: string, verb: string): string =>
        `403 nodes "n1" is forbidden: User "${user}" cannot ${verb} resource "nodes/proxy" in API group "" at the cluster scope`;
      expect(await asked('reader', 'GET')).toBe('200 metrics');
      expect(await asked('reader', 'POST')).toBe(refused('reader', 'create'));
      expect(await asked('reader', 'PUT')).toBe(refused('reader', 'update'));
      expect(await asked('reader', 'PATCH')).toBe(refused('reader', 'patch'));
      expect(await asked('reader', 'DELETE')).toBe(refused('reader', 'delete'));
      expect(await asked('scraper', 'GET')).toBe(refused('scraper', 'get'));
    });

    test('is redirected without the slash after proxy', async () => {
      expect((await on.request('GET', '/api/v1/nodes/n1/proxy')).status).toBe(301);
    });

    describe('a proxied request of a user who may not reach every address', () => {
      let strict: Reaching;
      beforeAll(async () => {
        strict = await on.start({});
      });
      afterAll(() => strict.close());

      test.each(['127.0.0.1', '169.254.169.254', '::1', '0.0.0.0', '224.0.0.1', '::ffff:127.0.0.1'])(
        'never goes to a node at %s',
        async (address) => {
          const ask = requester(strict);
          const name = `at-${Buffer.from(address).toString('hex')}`;
          const status = { addresses: [{ type: 'InternalIP', address }] };
          expect((await ask('POST', '/api/v1/nodes', { metadata: { name }, status })).status).toBe(201);
          expect(textOf(await ask('GET', `/api/v1/nodes/${name}/proxy/metrics`))).toBe('400 address not allowed');
        },
      );
    });
  });
}
