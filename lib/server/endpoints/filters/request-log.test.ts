import { expect, test } from 'vitest';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { ApiResponse } from '../api.ts';
import type { FilterPorts } from './filter.ts';
import type { RequestLine } from './request-line.ts';
import { requestLog } from './request-log.ts';

interface LogCase {
  readonly uri?: string;
  readonly status?: number;
  /** The time in ms until the response begins. */
  readonly took?: number;
  readonly every?: boolean;
  /** Whether a component of the server itself makes the request. */
  readonly isOwn?: boolean;
  readonly ownNeverSlow?: true;
  readonly headers?: Record<string, string>;
  readonly body?: ApiResponse['body'];
  /** Thrown by the handler below the panic recovery. */
  readonly error?: unknown;
}

/** Returns the response to a request, the lines so far, and the clock. */
async function logged({
  uri = '/api/v1/pods',
  status = 200,
  took = 5,
  every = false,
  isOwn = false,
  ownNeverSlow,
  headers = {},
  body = '',
  error,
}: LogCase) {
  const clock = new ManualClock();
  const lines: RequestLine[] = [];
  const { pathname: path, searchParams: query } = new URL(uri, 'https://a');
  const handle = requestLog(
    async ({ outcome }) => {
      clock.advance(took);
      if (error !== undefined) outcome.error = error;
      return { status, headers: {}, body };
    },
    {
      clock,
      requestLog: { every, ownNeverSlow, write: (line: RequestLine) => void lines.push(line) },
    } as unknown as FilterPorts,
  );
  const request = { path, query, uri, headers, ...(isOwn ? {} : { connection: { remoteAddress: '192.0.2.1' } }) };
  const context = aRequestContext(request, { auditId: 'a1', user: { name: 'amy', groups: [] } });
  return { response: await handle(context), lines, clock };
}

const WATCH = '/api/v1/pods?watch=true';

test.each<[string, LogCase, string | undefined]>([
  ['a fast one that is answered', {}, undefined],
  ['a fast one that is refused', { status: 422 }, undefined],
  ['of a second', { took: 1000 }, undefined],
  ['of more than a second', { took: 1001 }, 'info'],
  ["of the server's own, of more than a second", { isOwn: true, took: 1001 }, 'info'],
  ["of the server's own, where none is slow", { isOwn: true, ownNeverSlow: true, took: 1001 }, undefined],
  ["of the server's own, where none is slow, that fails", { isOwn: true, ownNeverSlow: true, status: 500 }, 'error'],
  ['of a client, where none of the server is slow', { ownNeverSlow: true, took: 1001 }, 'info'],
  ['that fails', { status: 503 }, 'error'],
  ['a watch that lasts', { uri: WATCH, took: 60_000 }, undefined],
  ['a watch that fails', { uri: WATCH, status: 500 }, 'error'],
  ['a fast one, where all are asked for', { every: true }, 'info'],
  ['a watch, where all are asked for', { uri: WATCH, took: 60_000, every: true }, 'info'],
])('a request %s', async (_, given, level) => {
  expect((await logged(given)).lines.map((line) => line.level)).toEqual(level === undefined ? [] : [level]);
});

test('cuts a long URI after redacting its tokens', async () => {
  const { lines } = await logged({ uri: `/api/v1/pods?access_token=s3cret&x=${'a'.repeat(900_000)}`, every: true });
  expect(lines[0]?.uri).toMatch(/^\/api\/v1\/pods\?access_token=REDACTED&x=a+\.\.\.TRUNCATED$/);
  expect(lines[0]?.uri.length).toBeLessThan(8300);
});

test('logs what identifies the request, and no token', async () => {
  const uri = '/api/v1/pods?limit=5&access_token=s3cret';
  const headers = { 'user-agent': `kubectl/${'x'.repeat(2000)}`, authorization: 'Bearer s3cret' };
  const { lines } = await logged({ uri, headers, took: 1500, status: 504 });
  expect(lines).toEqual([
    {
      level: 'error',
      message: 'request',
      auditId: 'a1',
      method: 'GET',
      uri: '/api/v1/pods?limit=5&access_token=REDACTED',
      status: 504,
      durationMs: 1500,
      user: 'amy',
      userAgent: expect.stringMatching(/^kubectl\/x{1016}\.\.\.TRUNCATED$/),
      sourceIPs: ['192.0.2.1'],
    },
  ]);
});

test('logs a stream when it ends', async () => {
  async function* chunks() {
    yield Buffer.from('a');
  }
  const { response, lines, clock } = await logged({ every: true, took: 10, body: chunks() });
  expect(lines).toEqual([]);
  for await (const _ of response.body as AsyncIterable<Uint8Array>) clock.advance(90);
  expect(lines).toMatchObject([{ durationMs: 100 }]);
});

test.each<[string, LogCase, string | undefined]>([
  [
    'the message of an error',
    { status: 500, error: new Error('failed calling webhook "a"') },
    'failed calling webhook "a"',
  ],
  ['a bounded message', { status: 500, error: 'a'.repeat(5000) }, `${'a'.repeat(2048)}...TRUNCATED`],
  ["the server's own plain text", { status: 503, body: 'service unavailable\n' }, 'service unavailable'],
  ['nothing of the body of another server', { status: 500, body: streamOf('secret') }, undefined],
  ['nothing for a rejection', { status: 403, every: true, error: new Error('forbidden') }, undefined],
])('reports as the error %s', async (_, given, error) => {
  const { response, lines } = await logged(given);
  if (typeof response.body !== 'string') for await (const _chunk of response.body as AsyncIterable<Uint8Array>);
  expect(lines.map((line) => line.error)).toEqual([error]);
});

async function* streamOf(text: string) {
  yield Buffer.from(text);
}
