import { expect, test } from 'vitest';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { forwardedHeaders, passedBack } from './forwarded-headers.ts';

/** Returns the headers that a backend receives for a client's headers. */
function sent(rawHeaders: readonly string[]): ReturnType<typeof forwardedHeaders> {
  const request: ApiRequest = {
    method: 'GET',
    path: '/',
    query: new URLSearchParams(),
    headers: {},
    rawHeaders,
    connection: { remoteAddress: '192.0.2.1' },
    body: async () => new Uint8Array(),
    signal: () => new AbortController().signal,
  };
  return forwardedHeaders(request, '[fd00::1]:80');
}

test('does not send hop-by-hop headers to the backend', () => {
  const connection = ['Connection', 'close, X-Mine', 'connection', 'x-forwarded-for', 'TE', 'trailers'];
  const others = ['Accept', 'a', 'X-Mine', '1', 'X-Forwarded-For', '203.0.113.9', 'Accept', 'b'];
  expect(sent([...connection, ...others])).toEqual({
    host: '[fd00::1]:80',
    accept: ['a', 'b'],
    'x-forwarded-for': '192.0.2.1',
  });
});

test('does not send hop-by-hop headers to the client', () => {
  const headers = { connection: 'X-Theirs', 'x-theirs': '1', 'http2-settings': 'a', 'set-cookie': ['a=b', 'c=d'] };
  const body = (async function* () {})();
  expect(passedBack({ status: 200, headers, body })).toEqual({ 'set-cookie': ['a=b', 'c=d'] });
});

const TOKEN = 'base64url.bearer.authorization.k8s.io.c2VjcmV0';

test.each<[string[], string[] | undefined]>([
  [[`${TOKEN}, v5.channel.k8s.io`], ['v5.channel.k8s.io']],
  [[TOKEN, 'v5.channel.k8s.io,v4.channel.k8s.io'], ['v5.channel.k8s.io, v4.channel.k8s.io']],
  [[`v4.channel.k8s.io,${TOKEN},  ${TOKEN}`], ['v4.channel.k8s.io']],
  [[TOKEN], undefined],
])('removes the token from the WebSocket protocols %j', (values, left) => {
  const headers = sent(values.flatMap((value) => ['Sec-WebSocket-Protocol', value]));
  expect(headers['sec-websocket-protocol']).toEqual(left);
});
