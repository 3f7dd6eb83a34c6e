import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** The recorded backend's response to one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const JSON_TYPE = { 'content-type': 'application/json' };

/** A Status as returned by a server built on k8s.io/apiserver. */
const status = (code: number, reason: string): Answer => {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code };
  return (_, response) => void response.writeHead(code, JSON_TYPE).end(JSON.stringify(body));
};

const of =
  (code: number, headers: Record<string, string | string[]>, body = ''): Answer =>
  (_, response) =>
    void response.writeHead(code, headers).end(body);

/** Writes the bytes of a response directly to the connection, and ends it. */
const bytes =
  (...lines: string[]): Answer =>
  ({ socket }) =>
    void socket.end(lines.join('\r\n'));

const redirect = (code: number, location: string): Answer => of(code, { location }, 'moved');

/** The responses by name; a request selects one with its header `x-answer`. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  object: of(200, { ...JSON_TYPE, etag: '"1"', 'x-own': ['a', 'b'] }, '{"kind":"Thing"}'),
  created: of(201, { ...JSON_TYPE, location: '/elsewhere' }, '{"kind":"Thing"}'),
  accepted: of(202, JSON_TYPE, '{}'),
  'no-content': of(204, { 'x-own': 'a' }),
  'not-modified': of(304, { etag: '"1"' }),
  'bad-request': status(400, 'BadRequest'),
  unauthorized: (_, response) =>
    void response.writeHead(401, { ...JSON_TYPE, 'www-authenticate': 'Basic realm="x"' }).end('{}'),
  forbidden: status(403, 'Forbidden'),
  'not-found': status(404, 'NotFound'),
  conflict: status(409, 'Conflict'),
  invalid: status(422, 'Invalid'),
  'too-many': (_, response) => void response.writeHead(429, { ...JSON_TYPE, 'retry-after': '7' }).end('{}'),
  failed: status(500, 'InternalError'),
  unavailable: status(503, 'ServiceUnavailable'),
  teapot: of(418, {}, 'short and stout'),
  'no-type': of(200, {}, 'plain'),
  empty: of(200, { 'content-length': '0' }),
  protobuf: (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/vnd.kubernetes.protobuf' })
      .end(Buffer.from([0x6b, 0x38, 0x73, 0, 1, 2, 0xff])),
  gzip: (_, response) =>
    void response
      .writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
      .end(gzipSync('{"kind":"Thing"}')),
  html: of(
    200,
    { 'content-type': 'text/html' },
    '<a href="/apis/x">a</a><img src="b.png"><a href="https://example.com/c">c</a>',
  ),
  big: of(200, { 'content-type': 'text/plain' }, 'x'.repeat(300_000)),
  chunks: (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, trailer: 'x-end' });
    for (const type of ['ADDED', 'MODIFIED', 'DELETED']) response.write(`{"type":"${type}"}\n`);
    response.addTrailers({ 'x-end': 'done' });
    response.end();
  },
  cookies: of(200, { ...JSON_TYPE, 'set-cookie': ['a=1', 'b=2'] }, '{}'),
  'hop-by-hop': of(200, { ...JSON_TYPE, connection: 'x-hop', 'x-hop': 'a', 'keep-alive': 'timeout=9' }, '{}'),
  'server-headers': of(
    200,
    {
      ...JSON_TYPE,
      server: 'own',
      'cache-control': 'max-age=60',
      'audit-id': 'of-the-backend',
      'x-kubernetes-pf-flowschema-uid': 'of-the-backend',
      warning: '299 - "of the backend"',
      'access-control-allow-origin': '*',
      'strict-transport-security': 'max-age=1',
      'x-content-type-options': 'nosniff',
      'x-remote-user': 'of-the-backend',
    },
    '{}',
  ),
  'early-hints': (_, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' });
    response.writeHead(200, JSON_TYPE).end('{}');
  },
  'moved-away': redirect(301, 'https://example.com/x'),
  'found-here': redirect(302, '/apis/things.example.com/v1/other'),
  'see-other': redirect(303, 'other'),
  temporary: redirect(307, 'https://example.com/x'),
  permanent: redirect(308, '//example.com/x'),
  choices: of(300, {}, 'no location'),
  'bad-location': redirect(302, 'http://[::1'),
  'http-1.0': bytes('HTTP/1.0 200 OK', 'Content-Type: application/json', '', '{"old":true}'),
  'http-1.0-short': bytes('HTTP/1.0 200 OK', 'Content-Length: 100', '', 'short'),
  garbage: bytes('SSH-2.0-OpenSSH', '', ''),
  'bad-header': bytes('HTTP/1.1 200 OK', 'Bad Header: a', 'Content-Length: 2', '', '{}'),
  'hang-up': ({ socket }) => void socket.destroy(),
  'hang-up-amid': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
    response.write('some', () => response.socket?.destroy());
  },
  'switch-unasked': bytes('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: x', '', ''),
};
