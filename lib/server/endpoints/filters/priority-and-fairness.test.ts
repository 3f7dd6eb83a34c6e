import { describe, expect, test } from 'vitest';
import { expose } from '#lib/machinery/metrics/text.ts';
import { configurationOf, levelOf } from '#lib/server/flowcontrol/configuration.ts';
import { FlowControl } from '#lib/server/flowcontrol/flow-control.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { ApiResponse } from '../api.ts';
import type { Filter, FilterPorts, Handler } from './filter.ts';
import { maxInFlight } from './max-in-flight.ts';
import { metrics } from './metrics.ts';
import { priorityAndFairness } from './priority-and-fairness.ts';
import { openPorts } from './testing.ts';

const clock = new ManualClock();
const OK: ApiResponse = { status: 200, headers: {}, body: '{}' };

/** One seat for all users except administrators, and no queue. */
function ports(): FilterPorts {
  const level = levelOf({
    metadata: { name: 'catch-all' },
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
  });
  const configuration = configurationOf([], [level]);
  return {
    ...openPorts(clock),
    flowControl: new FlowControl({
      clock,
      concurrency: 1,
      configuration: async () => configuration,
      stats: () => undefined,
    }),
  };
}

/** Requests to the filter and their responses. */
class Front {
  readonly #handle: Handler;
  readonly #answers = new Map<ApiRequest, () => Promise<ApiResponse>>();
  context: RequestContext | undefined;

  constructor(filter: Filter, given: FilterPorts = ports()) {
    this.#handle = filter(async ({ request }) => this.#answers.get(request)?.() ?? OK, given);
  }

  send(
    target: string,
    answer: () => Promise<ApiResponse> = async () => OK,
    options: { method?: string; groups?: string[]; signal?: AbortSignal } = {},
  ) {
    const [path = '', search = ''] = target.split('?');
    const { method = 'GET', groups = ['system:authenticated'], signal = new AbortController().signal } = options;
    const request = { method, path, query: new URLSearchParams(search), signal: () => signal };
    const context = aRequestContext(request, { user: { name: 'ada', groups } });
    this.context = context;
    this.#answers.set(context.request, answer);
    return this.#handle(context);
  }

  async isFree(): Promise<boolean> {
    return (await this.send('/api/v1/pods')).status === 200;
  }
}

const never = () => new Promise<ApiResponse>(() => {});
const broken = () => Promise.reject(new Error('broken'));
async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  yield Buffer.from('b');
}
const stream = async (): Promise<ApiResponse> => ({ ...OK, body: bytes(), ends: true });
const LIST = '/api/v1/pods';
const WATCH = '/api/v1/pods?watch=1';

describe('seats of requests', () => {
  test("are held until the response is complete; a request without a seat gets upstream's error", async () => {
    const front = new Front(priorityAndFairness);
    const { promise, resolve } = Promise.withResolvers<ApiResponse>();
    const first = front.send(LIST, () => promise);
    const second = await front.send(LIST);
    expect(second).toEqual({
      status: 429,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', 'retry-after': '1' },
      body: 'Too many requests, please try again later.\n',
    });
    expect(front.context?.outcome.latest?.flow).toEqual({ schemaUid: '', levelUid: '' });
    resolve(OK);
    expect((await first).status).toBe(200);
    expect(await front.isFree()).toBe(true);
  });

  test('are released after an error', async () => {
    const front = new Front(priorityAndFairness);
    for (const target of [LIST, WATCH]) await expect(front.send(target, broken)).rejects.toThrow('broken');
    expect(await front.isFree()).toBe(true);
  });

  test('are held until a stream is read to its end', async () => {
    const front = new Front(priorityAndFairness);
    const { body } = await front.send(LIST, stream);
    expect(await front.isFree()).toBe(false);
    let read = '';
    for await (const chunk of body as AsyncIterable<Uint8Array>) read += String(chunk);
    expect(read).toBe('ab');
    expect(await front.isFree()).toBe(true);
  });

  test.each([
    ['a list', LIST, stream],
    ['a watch', WATCH, async (): Promise<ApiResponse> => ({ ...OK, body: bytes() })],
  ])('are released when the client disconnects before reading %s', async (_, target, answer) => {
    const front = new Front(priorityAndFairness);
    const gone = new AbortController();
    await front.send(target, answer, { signal: gone.signal });
    expect(await front.isFree()).toBe(false);
    gone.abort('gone');
    expect(await front.isFree()).toBe(true);
  });

  test.each(['begun', 'ended'] as const)('are released by a watch when it has %s', async (stage) => {
    const front = new Front(priorityAndFairness);
    await front.send(WATCH, async () => ({ ...OK, body: bytes() }));
    const { latest } = front.context?.outcome ?? {};
    expect(await front.isFree()).toBe(false);
    latest?.watchStage?.(stage);
    expect(await front.isFree()).toBe(true);
    latest?.watchStage?.('ended');
    expect(await front.isFree()).toBe(true);
  });

  test('are released when a watch is rejected', async () => {
    const front = new Front(priorityAndFairness);
    await front.send(WATCH, async () => ({ ...OK, status: 400 }));
    expect(await front.isFree()).toBe(true);
  });

  test('are not needed by administrators and other long-running requests', async () => {
    const front = new Front(priorityAndFairness);
    void front.send(LIST, never);
    expect((await front.send(LIST, undefined, { groups: ['system:masters'] })).status).toBe(200);
    expect((await front.send('/api/v1/namespaces/a/pods/x/log')).status).toBe(200);
    expect(await front.isFree()).toBe(false);
  });
});

describe('the limit on requests in flight', () => {
  const bounded = (reading: number, mutating: number) => {
    const { flowControl: _, ...rest } = ports();
    return new Front(maxInFlight, { ...rest, inFlightLimits: { reading, mutating } });
  };

  test('limits the requests in flight, reads and writes separately', async () => {
    const front = bounded(1, 1);
    const { promise, resolve } = Promise.withResolvers<ApiResponse>();
    const first = front.send(LIST, () => promise);
    expect((await front.send(LIST)).status).toBe(429);
    expect((await front.send('/api/v1/namespaces', undefined, { method: 'POST' })).status).toBe(200);
    expect((await front.send(LIST, undefined, { groups: ['system:masters'] })).status).toBe(200);
    expect((await front.send(WATCH)).status).toBe(200);
    resolve(OK);
    await first;
    expect(await front.isFree()).toBe(true);
  });

  test('counts rejected requests by resource, and omits overlong names', async () => {
    const { flowControl: _, ...rest } = ports();
    const given = { ...rest, inFlightLimits: { reading: 1, mutating: 1 } };
    const front = new Front((next, all) => metrics(maxInFlight(next, all), all), given);
    void front.send(LIST, never);
    for (const target of [LIST, '/apis/a.b/v1/namespaces/n/cs/d/e', `/apis/${'x'.repeat(300)}/v1/cs`, '/metrics'])
      expect((await front.send(target)).status).toBe(429);
    const told = (await expose([given.metrics])).split('\n').filter((line) => line.includes('_terminations_total{'));
    const counted = (verb: string, group: string, labels: string) =>
      `apiserver_request_terminations_total{verb="${verb}",group="${group}",${labels},component="apiserver",code="429"} 1`;
    expect(told).toEqual([
      counted('LIST', '', 'version="v1",resource="pods",subresource="",scope="cluster"'),
      counted('GET', 'a.b', 'version="v1",resource="cs",subresource="e",scope="resource"'),
      counted('LIST', '', 'version="v1",resource="cs",subresource="",scope="cluster"'),
      counted('GET', '', 'version="",resource="",subresource="",scope=""'),
    ]);
  });

  test('releases a request in flight after an error, and has no limit by default', async () => {
    const front = bounded(1, 0);
    await expect(front.send(LIST, broken)).rejects.toThrow('broken');
    expect(await front.isFree()).toBe(true);
    void front.send('/api/v1/namespaces', never, { method: 'POST' });
    expect((await front.send('/api/v1/namespaces', undefined, { method: 'POST' })).status).toBe(200);
  });
});
