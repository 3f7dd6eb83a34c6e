import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';

const faults: unknown[] = [];
let server: RunningApiserver;
beforeAll(async () => {
  server = await startApiserver({ controllers: false, reportFault: (_, error) => void faults.push(error) });
});
afterAll(() => server.close());

const LIST = '/api/v1/namespaces/default/configmaps';
const head = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${server.adminToken}`, ...headers, '', ''].join('\r\n');

async function socket(protocol: string): Promise<TLSSocket> {
  const { port, certificateAuthority: ca } = server;
  const opened = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: [protocol] });
  await once(opened, 'secureConnect');
  return opened;
}

/** The bytes received until the server closes the connection, or until `until` has arrived. */
async function exchanged(text: string, until = '\r\n\r\n'): Promise<string> {
  const opened = await socket('http/1.1');
  opened.write(text);
  let read = '';
  for await (const chunk of opened) {
    read += String(chunk);
    if (read.includes(until)) break;
  }
  opened.destroy();
  return read;
}

async function stillAnswers(): Promise<void> {
  expect(await exchanged(head('GET /version'))).toMatch(/^HTTP\/1.1 200 /);
  expect(faults).toEqual([]);
}

describe('hostile input over HTTP/1.1', () => {
  test.each<[string, () => string, number]>([
    ['bytes', () => '\0\0\0\0\r\n\r\n', 400],
    ['a length that is no number', () => head('POST /api', 'Content-Length: 99999999999999999999'), 400],
    ['a URL of half a megabyte', () => head(`GET ${LIST}?x=${'a'.repeat(512 * 1024)}`), 200],
    ['a long label selector', () => head(`GET ${LIST}?labelSelector=${'a,'.repeat(5000)}a`), 200],
    ['a label selector without end', () => head(`GET ${LIST}?labelSelector=${'a,'.repeat(200_000)}a`), 400],
    ['a selector that nests nothing', () => head(`GET ${LIST}?labelSelector=${'('.repeat(500_000)}`), 400],
    ['a long field selector', () => head(`GET ${LIST}?fieldSelector=${'metadata.name!=a,'.repeat(9_000)}`), 200],
    [
      'a field selector without end',
      () => head(`GET ${LIST}?fieldSelector=${'metadata.name!=a,'.repeat(30_000)}`),
      400,
    ],
    ['many slashes', () => head(`GET /api/v1/${'/'.repeat(500_000)}`), 404],
    ['many parameters', () => head(`GET ${LIST}?${'a=b&'.repeat(200_000)}`), 200],
    ['a long continue token', () => head(`GET ${LIST}?continue=${'A'.repeat(500_000)}`), 400],
    ['a number of a thousand digits', () => head(`GET ${LIST}?limit=${'9'.repeat(1000)}`), 400],
    ['a version of a thousand digits', () => head(`GET ${LIST}?resourceVersion=${'9'.repeat(1000)}`), 400],
  ])('has the expected response: %s', async (_, text, status) => {
    expect(await exchanged(text())).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    await stillAnswers();
  });

  // If a client is still sending when the connection ends, TCP may drop the response.
  test.each<[string, () => string]>([
    ['a megabyte of one header', () => head('GET /version', `X: ${'a'.repeat(1024 * 1024)}`)],
    ['a URL of two megabytes', () => head(`GET /version?${'a'.repeat(2 * 1024 * 1024)}`)],
  ])('rejects or disconnects %s', async (_, text) => {
    expect(await exchanged(text()).catch(() => '')).toMatch(/^(HTTP\/1.1 431 |$)/);
    await stillAnswers();
  });

  test('a slow body ends with a 504, and its connection is closed', async () => {
    const opened = await socket('http/1.1');
    const answer: string[] = [];
    opened.on('data', (chunk) => answer.push(String(chunk)));
    const closed = once(opened, 'close');
    opened.write(`${head(`POST ${LIST}?timeout=100ms`, 'Content-Length: 1000')}{`);
    await closed;
    expect(answer.join('')).toMatch(/^HTTP\/1.1 504 /);
    expect(answer.join('')).toContain('request did not complete within the allotted timeout');
    await stillAnswers();
  });

  test('rejects an invalid timeout', async () => {
    const answer = await exchanged(head(`GET ${LIST}?timeout=soon`), '}');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('invalid timeout specified in the request URL');
  });
});

describe('hostile input over HTTP/2', () => {
  const session = async (): Promise<ClientHttp2Session> => {
    const opened = connectHttp2(server.url, { ca: server.certificateAuthority });
    opened.on('error', () => opened.destroy());
    await once(opened, 'connect');
    return opened;
  };
  const authorization = (): string => `Bearer ${server.adminToken}`;

  test('accepts a request with two hundred headers', async () => {
    const opened = await session();
    const extra = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, 'y']));
    const stream = opened.request({ ':path': '/version', authorization: authorization(), ...extra });
    const [headers] = (await once(stream, 'response')) as [{ ':status'?: number }];
    expect(headers[':status']).toBe(200);
    opened.destroy();
    await stillAnswers();
  });

  test('serves other clients without delay during a thousand unread watches', async () => {
    const opened = await session();
    opened.setMaxListeners(2000);
    for (let i = 0; i < 1000; i++) {
      const stream = opened.request({ ':path': `${LIST}?watch=1`, authorization: authorization() });
      stream.on('error', () => undefined);
    }
    await stillAnswers();
    opened.destroy();
    await stillAnswers();
  });

  test.each([
    ['frames of no protocol', Buffer.alloc(4096, 0xff)],
    [
      'a preface and then none',
      Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.alloc(4096, 0xfe)]),
    ],
  ])('has the expected result: %s', async (_, bytes) => {
    const opened = await socket('h2');
    opened.on('error', () => undefined);
    opened.resume();
    opened.end(bytes);
    await once(opened, 'close');
    await stillAnswers();
  });
});
