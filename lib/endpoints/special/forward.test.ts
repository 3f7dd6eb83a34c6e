import { expect, test } from 'vitest';
import type { Backends } from '#lib/channel/backends.ts';
import type { BackendRequest, BackendResponse } from '#lib/channel/round-tripper.ts';
import type { ApiRequest } from '../api.ts';
import { forward, type Location } from './forward.ts';

const to: Location = { target: { host: 'fd00::1', port: 80, globalOnly: true }, tls: 'none', path: '/' };

/** What a backend gets of these headers, and what the client gets of the answer's. */
async function exchanged(rawHeaders: readonly string[], answered: BackendResponse['headers'] = {}) {
  const all: BackendRequest[] = [];
  const backends: Backends = {
    preferredAddressTypes: [],
    roundTripper: {
      async send(one) {
        all.push(one);
        return { status: 200, headers: answered, body: (async function* () {})() };
      },
    },
  };
  const request: ApiRequest = {
    method: 'GET',
    path: '/',
    query: new URLSearchParams(),
    headers: {},
    rawHeaders,
    remoteAddress: '192.0.2.1',
    body: async () => new Uint8Array(),
    signal: new AbortController().signal,
  };
  const { headers } = await forward(backends, request, to);
  return { sent: all[0]?.headers ?? {}, got: headers };
}

test('headers of the connection stay, also those that it names', async () => {
  const asked = ['Connection', 'close, X-Mine', 'connection', 'x-forwarded-for', 'TE', 'trailers', 'Accept', 'a'];
  const { sent } = await exchanged([...asked, 'X-Mine', '1', 'X-Forwarded-For', '203.0.113.9', 'Accept', 'b']);
  expect(sent).toEqual({
    host: '[fd00::1]:80',
    connection: 'close',
    accept: ['a', 'b'],
    'x-forwarded-for': ['192.0.2.1'],
  });
});

test('those of an answer stay as well', async () => {
  const answered = { connection: 'X-Theirs', 'x-theirs': '1', 'http2-settings': 'a', 'set-cookie': ['a=b', 'c=d'] };
  expect((await exchanged([], answered)).got).toEqual({ 'set-cookie': ['a=b', 'c=d'] });
});

const TOKEN = 'base64url.bearer.authorization.k8s.io.c2VjcmV0';

test.each<[string[], string[] | undefined]>([
  [[`${TOKEN}, v5.channel.k8s.io`], ['v5.channel.k8s.io']],
  [[TOKEN, 'v5.channel.k8s.io,v4.channel.k8s.io'], ['v5.channel.k8s.io, v4.channel.k8s.io']],
  [[`v4.channel.k8s.io,${TOKEN},  ${TOKEN}`], ['v4.channel.k8s.io']],
  [[TOKEN], undefined],
])('of the protocols %j a WebSocket server gets %j', async (values, left) => {
  const { sent } = await exchanged(values.flatMap((value) => ['Sec-WebSocket-Protocol', value]));
  expect(sent['sec-websocket-protocol']).toEqual(left);
});
