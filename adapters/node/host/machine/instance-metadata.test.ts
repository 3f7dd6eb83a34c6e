import { createServer, type RequestListener } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Listening, onLoopback } from '#test/support/loopback.ts';
import { HttpInstanceMetadata } from './instance-metadata.ts';

const PATH = '/latest/meta-data/instance-id';
let listening: Listening;
let answer: RequestListener;
let metadata: HttpInstanceMetadata;

beforeEach(async () => {
  listening = await onLoopback(createServer((request, response) => answer(request, response)));
  metadata = new HttpInstanceMetadata(`http://127.0.0.1:${listening.port}`);
});
afterEach(() => listening.close());

/** A metadata service that responds like this within a session. */
const inSession =
  (then: RequestListener): RequestListener =>
  (request, response) => {
    const { method, url, headers } = request;
    if (method === 'PUT' && url === '/latest/api/token' && headers['x-aws-ec2-metadata-token-ttl-seconds'] === '300')
      response.end('of-a-session');
    else if (headers['x-aws-ec2-metadata-token'] === 'of-a-session') then(request, response);
    else response.writeHead(401).end();
  };

test('reads a value within a session', async () => {
  answer = inSession((request, response) => void response.end(`${request.url} is here\n`));
  expect(await metadata.get(PATH)).toBe(`${PATH} is here`);
});

test.each<[string, RequestListener, string]>([
  ['without sessions', (_, response) => void response.writeHead(403).end(), 'PUT /latest/api/token of the instance'],
  [
    'without the value',
    inSession((_, response) => void response.writeHead(404).end()),
    `GET ${PATH} of the instance's metadata: the answer is 404`,
  ],
  [
    'that redirects',
    inSession((_, response) => void response.writeHead(302, { location: '/x' }).end()),
    'the answer is 302',
  ],
  [
    'that truncates its answer',
    inSession(
      (_, response) => void response.writeHead(200, { 'content-length': 9 }).end('x', () => response.destroy()),
    ),
    `GET ${PATH}`,
  ],
  [
    'with an endless answer',
    inSession((_, response) => void response.end('x'.repeat(70_000))),
    'the answer is longer than 65536 bytes',
  ],
])('rejects a service %s', async (_, given, message) => {
  answer = given;
  await expect(metadata.get(PATH)).rejects.toThrow(message);
});

test('reports an address without a listener', async () => {
  await expect(new HttpInstanceMetadata('http://127.0.0.1:1').get(PATH)).rejects.toThrow('ECONNREFUSED');
});
