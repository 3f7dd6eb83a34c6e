import { describe, expect, test, vi } from 'vitest';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { configOf } from './config.ts';
import { eventServer } from './event-door.ts';
import type { Apiserver } from './wiring.ts';

const config = configOf({
  DAVIT_TABLE: 'davit',
  DAVIT_CLUSTER_ID: 'prod',
  DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
});
const request: ApiRequest = {
  method: 'GET',
  path: '/version',
  query: new URLSearchParams(),
  headers: {},
  body: async () => new Uint8Array(),
  signal: () => new AbortController().signal,
};

describe('an environment that cannot start', () => {
  test.each<[unknown, number, string | undefined]>([
    [new StoreError('Overloaded', 'the table throttles'), 429, '1'],
    [new StoreError('Refused', 'the table refuses this server: ExpiredTokenException'), 503, '5'],
    [new TypeError('a fault'), 500, undefined],
  ])(
    'returns an error to its client (%s is %i), and starts with the next request',
    async (fault, status, retryAfter) => {
      const reported = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      let starts = 0;
      const server = { handle: async () => ({ status: 200, headers: {}, body: '' }) } as unknown as Apiserver;
      const { handle } = eventServer(config, async () => {
        if (++starts === 1) throw fault;
        return server;
      })('davit.example.com');
      const refused = await handle(request);
      expect([refused.status, refused.headers['retry-after']]).toEqual([status, retryAfter]);
      const lines = reported.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
      expect(lines).toMatchObject([{ level: 'error', message: (fault as Error).message }]);
      expect((await handle(request)).status).toBe(200);
      reported.mockRestore();
    },
  );
});
