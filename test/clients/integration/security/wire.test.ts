import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { requester } from '#test/support/requester.ts';
import { exchanged } from './exchange.ts';
import { block, END_HEADERS, END_STREAM, type Field, frame, headers, preface, string, TYPE, word } from './frames.ts';
import { expectHttp1, expectHttp2 } from './wire.ts';

const faults: unknown[] = [];
const authority = await newAuthority(new Date());
let server: RunningApiserver;
beforeAll(async () => {
  server = await startApiserver({
    controllers: false,
    clientCa: authority.certificate,
    reportFault: (_, error) => void faults.push(error),
  });
  await requester(server)('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
});
afterAll(() => server.close());

/** Expects that another client gets a response and that no internal error occurred. */
afterEach(async () => {
  const { status } = await exchanged(server, '/version', { headers: { authorization: bearer() } });
  expect([status, faults]).toEqual([200, []]);
});

const bearer = (): string => `Bearer ${server.adminToken}`;
const MAPS = '/api/v1/namespaces/default/configmaps';
const GET = 'GET /version HTTP/1.1';
const POST = `POST ${MAPS}?dryRun=All HTTP/1.1`;
const CHUNKED = 'Transfer-Encoding: chunked';
/** A request that would get a response if the server accepted it. */
const hidden = (): string => request(GET);

const request = (line: string, ...more: string[]): string =>
  [line, 'Host: x', `Authorization: ${bearer()}`, ...more, '', ''].join('\r\n');
const filled = (count: number): string[] => Array.from({ length: count }, (_, i) => `X-${i}: a`);

describe.concurrent('unusual HTTP/1.1', () => {
  test.each<[string, () => string, string]>([
    ['a request', () => request(GET), '200'],
    ['two lengths', () => request(POST, 'Content-Length: 5', 'Content-Length: 50') + hidden(), '400 closed'],
    ['one length twice', () => `${request(POST, 'Content-Length: 2', 'Content-Length: 2')}{}`, '400 closed'],
    ['a list of lengths', () => `${request(POST, 'Content-Length: 2, 2')}{}`, '400 closed'],
    ['a length with a sign', () => `${request(POST, 'Content-Length: +2')}{}`, '400 closed'],
    ['a length below nothing', () => request(POST, 'Content-Length: -1') + hidden(), '400 closed'],
    ['a length in another base', () => `${request(POST, 'Content-Length: 0x2')}{}`, '400 closed'],
    ['no length', () => request(POST, 'Content-Length: '), '400 closed'],
    ['a length and chunks', () => `${request(POST, CHUNKED, 'Content-Length: 5')}0\r\n\r\n${hidden()}`, '400 closed'],
    ['an encoding unknown', () => request(POST, 'Transfer-Encoding: xchunked') + hidden(), '501 closed'],
    ['chunks and more', () => request(POST, 'Transfer-Encoding: chunked, identity') + hidden(), '400 closed'],
    ['more and chunks', () => `${request(POST, 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`, '501 closed'],
    ['chunks twice', () => `${request(POST, CHUNKED, CHUNKED)}0\r\n\r\n${hidden()}`, '400 closed'],
    ['chunks with a space', () => `${request(POST, 'Transfer-Encoding : chunked')}0\r\n\r\n${hidden()}`, '400 closed'],
    ['chunks on a line of their own', () => request(POST, 'Transfer-Encoding:', ' chunked') + hidden(), '400 closed'],
    ['chunks of an older version', () => request(POST.replace('1.1', '1.0'), CHUNKED) + hidden(), '400 closed'],
    ['a folded header', () => request(GET, 'X: a', ' b'), '400 closed'],
    ['lines without returns', () => request(GET).replaceAll('\r\n', '\n'), '400 closed'],
    ['one line without a return', () => request(GET, `X: a\n${CHUNKED}`), '400 closed'],
    ['a return alone', () => request(GET, 'X: a\rImpersonate-User: b'), '400 closed'],
    ['a zero', () => request(GET, 'X: a\0b'), '400 closed'],
    ['a name with a space', () => request(GET, 'X Y: a'), '400 closed'],
    ['a header without a colon', () => request(GET, 'X'), '400 closed'],
    ['a header without a name', () => request(GET, ': a'), '400 closed'],
    ['no host', () => `${GET}\r\nAuthorization: ${bearer()}\r\n\r\n`, '400 closed'],
    ['two hosts', () => request(GET, 'Host: y') + hidden(), '400 closed'],
    ['a chunk beyond numbers', () => `${request(POST, CHUNKED)}fffffffffffffffff\r\n`, '400 closed'],
    ['a chunk below nothing', () => `${request(POST, CHUNKED)}-1\r\n`, '400 closed'],
    ['a chunk with much to say', () => `${request(POST, CHUNKED)}1;${'a'.repeat(20_000)}\r\nx`, '413 closed'],
    ['a chunk without returns', () => `${request(POST, CHUNKED)}1\nx\n0\n\n`, '400 closed'],
    ['a chunk longer than it says', () => `${request(POST, CHUNKED)}1\r\nxx\r\n0\r\n\r\n`, '400 closed'],
    ['a length behind chunks', () => `${request(POST, CHUNKED)}0\r\nContent-Length: 4\r\n\r\n`, '400 closed'],
    ['three thousand headers', () => request(GET, ...filled(3000), 'Impersonate-User: x'), '431 closed'],
    ['a request within another', () => request(GET, `Content-Length: ${hidden().length}`) + hidden(), '200'],
    ['three at once', () => hidden() + hidden() + hidden(), '200 200 200'],
    ['two, one of them none', () => `${hidden()}X\r\n\r\n${hidden()}`, '400 closed'],
    ['a target with a host', () => request('GET https://other/version HTTP/1.1'), '200'],
    ['a target of another scheme', () => request('GET file:///etc/passwd HTTP/1.1'), '404'],
    ['a target that is a host', () => request('GET x:443 HTTP/1.1'), '400 closed'],
    ['a tunnel', () => request('CONNECT 127.0.0.1:22 HTTP/1.1'), 'closed'],
    ['a target of all', () => request('OPTIONS * HTTP/1.1'), '404'],
    ['a target without a slash', () => request('GET version HTTP/1.1'), '400 closed'],
    ['a target with a space', () => request('GET /ver sion HTTP/1.1'), '400 closed'],
    ['a target of other bytes', () => request('GET /version\x01 HTTP/1.1'), '400 closed'],
    ['no version', () => 'GET /version\r\n\r\n', '505 closed'],
    ['another version', () => request('GET /version HTTP/2.0') + hidden(), '505 closed'],
    ['the preface of HTTP/2', () => preface().toString('latin1'), '400 closed'],
    ['an unknown method', () => request('FOO /version HTTP/1.1'), '400 closed'],
    ['a method in another case', () => request('get /version HTTP/1.1'), '400 closed'],
    ['an upgrade to HTTP/2', () => request(GET, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'), '200'],
    ['an upgrade to WebSocket', () => request(GET, 'Connection: Upgrade', 'Upgrade: websocket'), '200 closed'],
    ['an expectation', () => request(GET, 'Expect: miracles'), '417'],
  ])('has the expected result: %s', async (_, sent, told) => {
    await expectHttp1(server, Buffer.from(sent(), 'latin1'), told);
  });

  test('does not read credentials after a body', async () => {
    const trailer = `0\r\nAuthorization: ${bearer()}\r\n\r\n`;
    const head = `GET ${MAPS} HTTP/1.1\r\nHost: x\r\n${CHUNKED}\r\nTrailer: Authorization\r\n\r\n`;
    await expectHttp1(server, head + trailer, '403');
  });

  test('authorizes a target with a host by its path', async () => {
    const line = `GET https://other${MAPS} HTTP/1.1`;
    await expectHttp1(server, `${line}\r\nHost: x\r\n\r\n`, '403');
  });

  test('returns responses to thousands of concurrent requests, or ends their connection', async () => {
    await expectHttp1(server, request(GET).repeat(2000), /^(200 )+(200|closed)$/);
  });
});

const fields = (over: Readonly<Record<string, string>> = {}): Field[] =>
  [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', '/version'],
    [':authority', 'x'],
    ['authorization', bearer()],
  ].map(([name = '', value = '']) => [name, over[name] ?? value]);
const without = (left: string): Field[] => fields().filter(([name]) => name !== left);
const posting = (...more: Field[]): Buffer =>
  headers(1, [...fields({ ':method': 'POST', ':path': `${MAPS}?dryRun=All` }), ...more], END_HEADERS);
const body = (text: string): Buffer => frame(TYPE.data, 1, Buffer.from(text), END_STREAM);
const MALFORMED = 'reset 1';
const PROTOCOL = 'go away 1, closed';

describe.concurrent('HTTP/2: a request', () => {
  test.each<[string, () => Field[], string]>([
    ['as it should be', () => fields(), 'status 200'],
    ['of two paths', () => [[':path', '/api'], ...fields()], MALFORMED],
    ['of two methods', () => [[':method', 'GET'], ...fields()], MALFORMED],
    ['of two authorities', () => [[':authority', 'y'], ...fields()], MALFORMED],
    ['whose path comes late', () => [...without(':path'), [':path', '/version']], MALFORMED],
    ['without a method', () => without(':method'), MALFORMED],
    ['without a path', () => without(':path'), MALFORMED],
    ['without a scheme', () => without(':scheme'), MALFORMED],
    ['with a status', () => [[':status', '200'], ...fields()], MALFORMED],
    ['with what nobody knows', () => [[':foo', 'x'], ...fields()], MALFORMED],
    ['for a protocol', () => [[':protocol', 'websocket'], ...fields({ ':method': 'CONNECT' })], MALFORMED],
    [
      'for a tunnel',
      () => [
        [':method', 'CONNECT'],
        [':authority', '127.0.0.1:22'],
        ['authorization', bearer()],
      ],
      'status 405',
    ],
    ['with a name in another case', () => [...fields(), ['X-Y', 'a']], MALFORMED],
    ['of a connection', () => [...fields(), ['connection', 'keep-alive']], MALFORMED],
    ['of chunks', () => [...fields(), ['transfer-encoding', 'chunked']], MALFORMED],
    ['of an upgrade', () => [...fields(), ['upgrade', 'websocket']], MALFORMED],
    ['of two hosts', () => [...fields(), ['host', 'x'], ['host', 'y']], MALFORMED],
    ['of a length that is none', () => [...fields(), ['content-length', 'x']], MALFORMED],
    ['of a whole URL', () => fields({ ':path': 'https://x/version' }), MALFORMED],
    ['of no path', () => fields({ ':path': '' }), MALFORMED],
    ['of a path of two lines', () => fields({ ':path': '/version\r\nx' }), MALFORMED],
    ['of a method of two words', () => fields({ ':method': 'GET /api' }), MALFORMED],
    ['of a method unknown', () => fields({ ':method': 'FOO' }), 'status 405'],
  ])('%s', async (_, shown, told) => {
    await expectHttp2(server, Buffer.concat([preface(), headers(1, shown())]), told);
  });

  test.each([['x: two\r\nimpersonate-user'], ['x: two\nimpersonate-user'], ['x: two\0impersonate-user']])(
    'with a line within a value is not that of two: node leaves the header out',
    async (text) => {
      const [name = '', value = ''] = text.split(': ');
      const shown: Field[] = [...fields({ ':path': MAPS }), [name, `${value}: nobody`]];
      await expectHttp2(server, Buffer.concat([preface(), headers(1, shown)]), 'status 200');
    },
  );

  test('with two credentials uses the first', async () => {
    const shown: Field[] = [...fields({ ':path': MAPS, authorization: 'Bearer x' }), ['authorization', bearer()]];
    await expectHttp2(server, Buffer.concat([preface(), headers(1, shown)]), 'status 401');
  });

  test('with a credential after its body has none', async () => {
    const head = headers(
      1,
      without('authorization').map(([name, value]) => [name, name === ':path' ? MAPS : value]),
      END_HEADERS,
    );
    const sent = Buffer.concat([preface(), head, headers(1, [['authorization', bearer()]])]);
    await expectHttp2(server, sent, 'status 403');
  });
});

describe.concurrent('unusual HTTP/2 frames', () => {
  const get = (stream = 1): Buffer => headers(stream, fields());
  const many = (count: number, one: (i: number) => Buffer): Buffer =>
    Buffer.concat(Array.from({ length: count }, (_, i) => one(i)));
  test.each<[string, () => Buffer[], string | RegExp]>([
    ['a body shorter than it says', () => [posting(['content-length', '5']), body('{}')], MALFORMED],
    [
      'a body longer than it says',
      () => [posting(['content-length', '1']), body('{}')],
      /^(reset 1|go away 2, closed)$/,
    ],
    ['two lengths', () => [posting(['content-length', '2'], ['content-length', '3']), body('{}')], MALFORMED],
    ['a path behind a body', () => [posting(), headers(1, [[':path', '/api']])], MALFORMED],
    ['headers behind headers', () => [posting(), headers(1, [['x', 'y']], END_HEADERS)], MALFORMED],
    ['a stream of the server', () => [get(2)], PROTOCOL],
    ['no stream', () => [get(0)], PROTOCOL],
    ['a stream again', () => [get(), get()], 'go away 5, closed'],
    ['a body of no request', () => [body('x')], PROTOCOL],
    ['an end of no request', () => [frame(TYPE.reset, 1, word(8))], PROTOCOL],
    ['a window of no more', () => [frame(TYPE.window, 0, word(0))], PROTOCOL],
    ['a window beyond numbers', () => [frame(TYPE.window, 0, word(0x7fffffff))], 'go away 3, closed'],
    ['a push', () => [frame(TYPE.push, 1, Buffer.concat([word(2), block(fields())]), END_HEADERS)], PROTOCOL],
    ['a frame too large', () => [frame(TYPE.data, 1, Buffer.alloc(70_000))], 'go away 6, closed'],
    ['a ping too short', () => [frame(TYPE.ping, 0, Buffer.alloc(7))], 'go away 6, closed'],
    ['settings of a stream', () => [frame(TYPE.settings, 1)], PROTOCOL],
    ['a continuation of nothing', () => [frame(TYPE.continuation, 1, block(fields()), END_HEADERS)], PROTOCOL],
    ['a ping amid headers', () => [frame(TYPE.headers, 1, block(fields())), frame(TYPE.ping, 0, word(0))], PROTOCOL],
    [
      'a header of no table',
      () => [frame(TYPE.headers, 1, Buffer.from([0xff, 0xff, 0xff, 0x7f]), 5)],
      'go away 9, closed',
    ],
    [
      'a string of no code',
      () => [frame(TYPE.headers, 1, Buffer.from([0, 0x84, 255, 255, 255, 255]), 5)],
      'go away 9, closed',
    ],
    [
      'a table too large',
      () => [frame(TYPE.headers, 1, Buffer.from([0x3f, 255, 255, 255, 0x7f]), 5)],
      'go away 9, closed',
    ],
    ['40 MB of headers in 14 KB', () => [frame(TYPE.headers, 1, bomb(), 5)], 'reset 11'],
    [
      'headers that do not end',
      () => [frame(TYPE.headers, 1, block(fields())), many(5000, () => frame(TYPE.continuation, 1))],
      'go away 2, closed',
    ],
    [
      'headers of megabytes',
      () => [
        frame(TYPE.headers, 1, block(fields())),
        many(200, () => frame(TYPE.continuation, 1, block([['x', 'a'.repeat(16_000)]]))),
      ],
      'go away 2, closed',
    ],
    [
      'requests that end as they begin',
      () => [many(20_000, (i) => Buffer.concat([get(2 * i + 1), frame(TYPE.reset, 2 * i + 1, word(8))]))],
      /go away \d+, closed$/,
    ],
    ['bodies of nothing', () => [posting(), many(50_000, () => frame(TYPE.data, 1))], /closed$/],
    [
      'priorities',
      () => [many(50_000, (i) => frame(TYPE.priority, 2 * i + 1, Buffer.from([0, 0, 0, 0, 1])))],
      /closed$/,
    ],
    ['pings', () => [many(50_000, () => frame(TYPE.ping, 0, Buffer.alloc(8)))], /closed$/],
    ['settings', () => [many(50_000, () => frame(TYPE.settings, 0))], /closed$/],
    ['windows', () => [many(50_000, () => frame(TYPE.window, 0, word(1)))], /go away 11/],
    [
      'two thousand watches',
      () => [many(2000, (i) => headers(2 * i + 1, fields({ ':path': `${MAPS}?watch=1` })))],
      /go away 11/,
    ],
  ])('have the expected result: %s', async (_, sent, told) => {
    await expectHttp2(server, Buffer.concat([preface(), ...sent()]), told);
  });

  /** One header of 4 KB in the table, followed by ten thousand references to it. */
  const bomb = (): Buffer =>
    Buffer.concat([
      block(fields()),
      Buffer.from([0x40]),
      string('x'),
      string('a'.repeat(4000)),
      Buffer.alloc(10_000, 0xbe),
    ]);

  test('do not delay others if the client reads nothing', async () => {
    const zero = preface([[4, 0]]);
    await expectHttp2(server, Buffer.concat([zero, get()]), 'status 200');
  });

  test('that begin with none are none', async () => {
    await expectHttp2(server, frame(TYPE.settings, 0), /closed$/);
    await expectHttp2(server, Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), /closed$/);
  });
});

describe('TLS of the server', () => {
  const greeted = (options: object) =>
    connect({ host: '127.0.0.1', port: server.port, ca: server.certificateAuthority, ...options });

  test('is not renegotiated', async () => {
    const socket = greeted({ maxVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] });
    await once(socket, 'secureConnect');
    const { promise, resolve } = Promise.withResolvers<unknown>();
    socket.on('error', resolve);
    socket.renegotiate({}, resolve);
    expect(await promise).toBeInstanceOf(Error);
    socket.destroy();
  });

  test.each(['TLSv1', 'TLSv1.1'] as const)('is not %s', async (version) => {
    const socket = greeted({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toMatch(/PROTOCOL_VERSION/);
  });

  test('keeps its user if it is resumed', async () => {
    const amy = await authority.issue({ name: 'amy' });
    const shown = { cert: amy.certificate, key: amy.key, maxVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] };
    const first = greeted(shown);
    const [session] = (await once(first, 'session')) as [Buffer];
    first.destroy();
    const second = greeted({ ...shown, session });
    await once(second, 'secureConnect');
    expect(second.isSessionReused()).toBe(true);
    second.write(`GET ${MAPS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(Buffer.concat(await second.toArray()).toString()).toContain('User \\"amy\\"');
  });
});
