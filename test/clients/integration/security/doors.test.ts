import { afterEach, expect, test } from 'vitest';
import { json } from '../apiserver/front-door.ts';
import { describeEveryDoor } from '../apiserver/matrix.ts';

const HERE = '/api/v1/namespaces/default';
const ASKED: readonly (readonly [method: string, path: string])[] = [
  ['GET', `${HERE}/secrets`],
  ['GET', `${HERE}/secrets/one`],
  ['GET', `${HERE}/secrets?watch=1`],
  ['POST', `${HERE}/configmaps`],
  ['PUT', `${HERE}/configmaps/one`],
  ['PATCH', `${HERE}/configmaps/one`],
  ['DELETE', `${HERE}/configmaps/one`],
  ['DELETE', `${HERE}/configmaps`],
  ['GET', '/apis/example.com/v1/crontabs'],
  ['GET', '/metrics'],
  ['GET', '/openapi/v2'],
  ['GET', '/api/v1/namespaces/default/pods/p/exec?command=sh'],
  ['GET', '/nothing/at/all'],
];

describeEveryDoor('who is not known', (api) => {
  afterEach(() => expect(api().door.faults).toEqual([]));

  test.each<[string, Record<string, string>, number]>([
    ['shows nothing', {}, 403],
    ['shows a token of nobody', { authorization: 'Bearer guessed' }, 401],
    ['shows an empty token', { authorization: 'Bearer ' }, 403],
    ['shows a password', { authorization: `Basic ${Buffer.from('admin:administrator').toString('base64')}` }, 403],
    ['tells who he is, as a proxy', { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }, 403],
    ['tells of a certificate', { 'x-ssl-client-s-dn': 'O=system:masters,CN=admin', 'x-client-cert': 'MIIB' }, 403],
    ['acts as someone', { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' }, 403],
    ['asks for another method', { 'x-http-method-override': 'OPTIONS', 'x-original-url': '/livez' }, 403],
  ])('a client that %s is rejected everywhere', async (_, shown, status) => {
    for (const [method, path] of ASKED) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const answer = await api().send(method, path, body, { authorization: null, ...shown });
      expect([method, path, json(answer)['code']]).toEqual([method, path, status]);
    }
  });
});
