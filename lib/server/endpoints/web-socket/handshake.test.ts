import { expect, test } from 'vitest';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { ASKING } from '#test/support/web-socket.ts';
import { asksForWebSocket, type HandshakeRules, handshake } from './handshake.ts';

const RULES: HandshakeRules = {
  needsOrigin: true,
  choose: (offered) => (offered.length > 1 ? 400 : (offered[0] ?? '')),
};

/** Returns the status of the response with the subprotocol, or the text of the rejection. */
function answer(headers: Record<string, string | undefined>, method = 'GET'): string {
  const request = { method, headers: { ...ASKING, ...headers } } as unknown as ApiRequest;
  const agreed = handshake(request, RULES);
  return 'status' in agreed ? `${agreed.status} ${String(agreed.body)}`.trim() : `101 ${agreed.protocol}`.trim();
}

const TOKEN = 'base64url.bearer.authorization.k8s.io.c2VjcmV0';

test.each<[string, Record<string, string | undefined>, string]>([
  ['of a browser', {}, '101'],
  ['with a key of another length, like upstream', { 'sec-websocket-key': 'x' }, '101'],
  ['without a key', { 'sec-websocket-key': undefined }, '400 mismatch challenge/response'],
  ['without a version', { 'sec-websocket-version': undefined }, '400 missing or bad WebSocket Version'],
  ['with another version', { 'sec-websocket-version': '8' }, '400 missing or bad WebSocket Version'],
  ['without an origin', { origin: undefined }, '403'],
  ['from a hidden origin', { origin: 'null' }, '403'],
  ['with a subprotocol', { 'sec-websocket-protocol': 'v1.test' }, '101 v1.test'],
  ['with unsupported subprotocols', { 'sec-websocket-protocol': 'a, b' }, '400'],
  ['with the token and a subprotocol', { 'sec-websocket-protocol': `${TOKEN},v1.test` }, '101 v1.test'],
  ['with only the token', { 'sec-websocket-protocol': TOKEN }, '101'],
])('a handshake %s', (_, headers, told) => {
  expect(answer(headers)).toBe(told);
});

test('requires a GET for a handshake', () => {
  expect(answer({}, 'POST')).toBe('405 bad method');
});

test('reads subprotocols from both lines of the header', () => {
  const rawHeaders = ['Sec-WebSocket-Protocol', TOKEN, 'sec-websocket-protocol', 'v1.test'];
  const request = { method: 'GET', headers: ASKING, rawHeaders } as unknown as ApiRequest;
  expect(handshake(request, RULES)).toMatchObject({ protocol: 'v1.test' });
});

test('proves that the server has read the key (RFC 6455, 1.3)', () => {
  expect(handshake({ method: 'GET', headers: ASKING } as unknown as ApiRequest, RULES)).toEqual({
    protocol: '',
    headers: { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=' },
  });
});

test.each([
  ['websocket', true],
  ['WebSocket', true],
  ['SPDY/3.1', false],
  [undefined, false],
])('a switch to %s', (upgrade, isOne) => {
  expect(asksForWebSocket({ upgrade } as unknown as ApiRequest)).toBe(isOne);
});
