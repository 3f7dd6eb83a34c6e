import { expect, test } from 'vitest';
import { type Admission, NO_ADMISSION } from '#lib/server/registry/admission.ts';
import { builtInScheme } from '#lib/server/registry/built-in-scheme.ts';
import { attributesOf } from '#lib/server/registry/store/attributes.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { buildChain } from './filters/chain.ts';
import type { Handler } from './filters/filter.ts';
import { openPorts } from './filters/testing.ts';
import { operation } from './scope.ts';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const SCHEME = builtInScheme({ group: '', version: 'v1', kind: 'ConfigMap' });

/** Passes the request to admission like a create, but creates nothing. */
const creating =
  (admission: Admission): Handler =>
  async (context) => {
    const op = operation({ context, admission, cluster: 'main' });
    await admission.admit(attributesOf(op, { operation: 'CREATE', scheme: SCHEME, resource: CONFIG_MAPS, name: 'a' }));
    return { status: 201, headers: {}, body: '' };
  };

test('passes unknown facts of a request and its connection from the transport to admission', async () => {
  const seen: unknown[] = [];
  const admission: Admission = { ...NO_ADMISSION, admit: async ({ context }) => void seen.push(context) };
  const amy = { name: 'amy', groups: [] };
  const ports = { ...openPorts(new ManualClock()), authenticator: async () => ({ user: amy }) };
  const connection = Object.assign({ remoteAddress: '192.0.2.1' }, { tlsVersion: 'TLSv1.3' });
  const headers = { authorization: 'Bearer secret', 'impersonate-user': 'bob' };
  const context = aRequestContext({ method: 'PUT', path: '/api/v1/namespaces/x/configmaps/a', headers, connection });
  const answer = await buildChain(creating(admission), ports)(Object.assign(context, { tenant: 'blue' }));
  expect(answer.status).toBe(201);
  const request = { headers: {}, connection };
  expect(seen).toMatchObject([{ tenant: 'blue', user: { name: 'bob' }, impersonator: amy, request }]);
});
