import { describe, expect, test } from 'vitest';
import { forbidden, notFound, unauthorized } from '#lib/machinery/errors.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { policyRuleEvaluator } from '#lib/server/audit/evaluate.ts';
import { type AuditEvent, encodeEvent } from '#lib/server/audit/event.ts';
import { AuditMetrics } from '#lib/server/audit/metrics.ts';
import { parsePolicy } from '#lib/server/audit/parse-policy.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { Latencies } from '#lib/server/request/latencies.ts';
import { type RequestContext, withFacts } from '#lib/server/request/request-context.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { ApiResponse } from '../api.ts';
import { audit, failedAudit } from './audit.ts';
import type { FilterPorts, Handler } from './filter.ts';

const ADMIN: User = { name: 'admin', uid: 'a1', groups: ['system:masters'] };
const CONFIG_MAP = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c1","managedFields":[]},"data":{}}';

interface Call {
  readonly method?: string;
  readonly uri?: string;
  readonly headers?: Record<string, string>;
  readonly level?: string;
  readonly policy?: object;
  readonly stored?: boolean;
  readonly flushes?: boolean;
  readonly handler: Handler;
  /** The time in ms from the request to its response. */
  readonly took?: number;
}

/** Runs a request. Returns the logged events, and the client's status code or the error message. */
async function called({ method = 'GET', uri = '/version', headers = {}, handler, ...given }: Call) {
  const { level = 'RequestResponse', policy = { rules: [{ level }] }, stored = true, flushes = false } = given;
  const events: AuditEvent[] = [];
  const order: string[] = [];
  const sink = {
    process: async ([event]: readonly AuditEvent[]) => {
      if (event !== undefined) events.push(event);
      order.push(event?.stage ?? '');
      return stored;
    },
    flush: async () => void order.push('flush'),
    close: async () => {},
  };
  const metrics = new AuditMetrics();
  const text = JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...policy });
  const ports = {
    clock: new ManualClock(given.took ?? 0),
    audit: { policy: policyRuleEvaluator(parsePolicy(text)), sink, metrics, flushes },
  } as unknown as FilterPorts;
  const [path = '', query = ''] = uri.split('?');
  const connection = { remoteAddress: '::ffff:127.0.0.1' };
  const request = { method, path, uri, headers, connection, query: new URLSearchParams(query) };
  const context = aRequestContext(request, { auditId: 'id-1', latencies: new Latencies() });
  const known: Handler = (unknown) => audit(handler, ports)(withFacts(unknown, { user: ADMIN }));
  const answer = failedAudit(known, ports)(context);
  const result = await answer.then(drained, (error: Error) => error.message);
  return { events: events.map(shown), order, result, counted: counted(metrics) };
}

/** Returns the samples of a scrape, by metric name. */
const counted = (metrics: AuditMetrics): Record<string, number> =>
  Object.fromEntries(
    metrics
      .collect()
      .flatMap(({ name, samples }) =>
        samples.map(({ labels, value }) => [[name, ...Object.values(labels)].join(' '), value] as const),
      ),
  );

async function drained({ status, body }: ApiResponse): Promise<number> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) for await (const _ of body) continue;
  return status;
}

function shown(event: AuditEvent): JsonObject {
  const { value } = decodeJson(Buffer.from(encodeEvent(event)));
  return isObject(value) ? value : {};
}

const json =
  (body: string, status = 200): Handler =>
  async () => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body),
  });
const MAPS = '/api/v1/namespaces/default/configmaps';

describe('stages of audit events', () => {
  const fails =
    (error: unknown): Handler =>
    async () =>
      Promise.reject(error);
  const streams: Handler = async () => ({ status: 200, headers: {}, body: (async function* () {})() });
  test.each<[string, Handler, string, string[]]>([
    ['an answer', json('{}'), MAPS, ['RequestReceived', 'ResponseComplete']],
    ['a refusal', fails(notFound({ group: '', resource: 'a' }, 'b')), MAPS, ['RequestReceived', 'ResponseComplete']],
    ['a watch', streams, `${MAPS}?watch=1`, ['RequestReceived', 'ResponseStarted', 'ResponseComplete']],
    [
      'a session in a container',
      streams,
      '/api/v1/namespaces/n/pods/p/exec?command=sh',
      ['RequestReceived', 'ResponseStarted', 'ResponseComplete'],
    ],
    [
      'a refused watch',
      fails(forbidden({ group: '', resource: 'a' }, '', 'no')),
      `${MAPS}?watch=1`,
      ['RequestReceived', 'ResponseStarted', 'ResponseComplete'],
    ],
    ['a fault', fails(new RangeError('x')), MAPS, ['RequestReceived', 'Panic']],
  ])('records the stages of %s', async (_, handler, uri, stages) => {
    expect((await called({ uri, handler })).order).toEqual(stages);
  });

  test('omits the stages that the policy omits', async () => {
    const policy = { rules: [{ level: 'Metadata' }], omitStages: ['RequestReceived'] };
    expect((await called({ handler: json('{}'), policy })).order).toEqual(['ResponseComplete']);
  });

  test('writes nothing at the level None', async () => {
    expect(await called({ handler: json('{}'), level: 'None' })).toMatchObject({
      events: [],
      order: [],
      result: 200,
      counted: { 'apiserver_audit_level_total None': 1 },
    });
  });

  test('rejects a request if its first event is lost and the sink is strict', async () => {
    const { result, counted: metrics } = await called({ handler: json('{}'), stored: false });
    expect(metrics).toMatchObject({ apiserver_audit_event_total: 1, apiserver_audit_requests_rejected_total: 1 });
    expect(result).toBe('Internal Server Error: "/version": failed to store audit event');
  });

  test('flushes the events before the response ends if the process may end with it', async () => {
    expect((await called({ handler: json('{}'), flushes: true })).order.at(-1)).toBe('flush');
    expect((await called({ uri: `${MAPS}?watch=1`, handler: streams, flushes: true })).order).toEqual([
      'RequestReceived',
      'ResponseStarted',
      'flush',
      'ResponseComplete',
      'flush',
    ]);
  });
});

describe('events of an audited request', () => {
  test('describe a request', async () => {
    const headers = {
      'user-agent': 'u'.repeat(2000),
      'x-forwarded-for': '1.2.3.4, bad, 5.6.7.8',
      'x-real-ip': '9.9.9.9',
    };
    const { events } = await called({ uri: `${MAPS}?fieldSelector=metadata.name%3Dc1`, headers, handler: json('{}') });
    expect(events[0]).toEqual({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: 'id-1',
      stage: 'RequestReceived',
      requestURI: `${MAPS}?fieldSelector=metadata.name%3Dc1`,
      verb: 'list',
      user: { username: 'admin', uid: 'a1', groups: ['system:masters'] },
      sourceIPs: ['1.2.3.4', '5.6.7.8', '9.9.9.9', '127.0.0.1'],
      userAgent: `${'u'.repeat(1024)}...TRUNCATED`,
      objectRef: { resource: 'configmaps', namespace: 'default', name: 'c1', apiVersion: 'v1' },
      requestReceivedTimestamp: '1970-01-01T00:00:00.000000Z',
      stageTimestamp: '1970-01-01T00:00:00.000000Z',
    });
  });

  test('contain the impersonated user and the requestor', async () => {
    const user = { name: 'amy', groups: ['g1'] };
    const handler: Handler = (context) =>
      json('{}')(withFacts(context, { user, impersonationConstraint: 'impersonate:user-info' }));
    const [received, complete] = (await called({ handler })).events;
    expect(received).not.toHaveProperty('impersonatedUser');
    expect(complete).toMatchObject({
      user: { username: 'admin' },
      impersonatedUser: { username: 'amy', groups: ['g1'] },
      authenticationMetadata: { impersonationConstraint: 'impersonate:user-info' },
    });
  });

  test('name no user if authentication failed', async () => {
    const events: AuditEvent[] = [];
    const sink = { process: async (all: readonly AuditEvent[]) => events.push(...all) > 0 };
    const ports = {
      clock: new ManualClock(),
      audit: {
        policy: () => ({ level: 'Metadata', omitStages: new Set() }),
        sink,
        metrics: new AuditMetrics(),
        flushes: false,
      },
    } as unknown as FilterPorts;
    const context = aRequestContext({ path: MAPS });
    await expect(failedAudit(async () => Promise.reject(unauthorized()), ports)(context)).rejects.toThrow();
    expect(events).toMatchObject([
      {
        stage: 'ResponseStarted',
        user: {},
        responseStatus: { metadata: {}, status: 'Failure', message: 'Unauthorized', reason: 'Unauthorized', code: 401 },
      },
    ]);
  });

  const status = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"uid":"1"}}';
  test.each<[string, string, string, string, object]>([
    [
      'an object',
      'RequestResponse',
      MAPS,
      CONFIG_MAP,
      { responseObject: { kind: 'ConfigMap' }, responseStatus: { code: 200 } },
    ],
    ['a Status', 'Metadata', MAPS, status, { responseStatus: { status: 'Success', details: { uid: '1' }, code: 200 } }],
  ])('contain the response object of %s', async (_, level, uri, body, expected) => {
    expect((await called({ level, uri, handler: json(body) })).events[1]).toMatchObject(expected);
  });

  test.each([
    ['an object below its level', 'Request', CONFIG_MAP],
    ['a document that names no kind', 'RequestResponse', '{"major":"1"}'],
  ])('do not contain %s', async (_, level, body) => {
    const [, complete] = (await called({ level, handler: json(body) })).events;
    expect(complete).not.toHaveProperty('responseObject');
    expect(complete?.['responseStatus']).toEqual({ metadata: {}, code: 200 });
  });

  test('omit managed fields if the policy says so', async () => {
    const policy = { rules: [{ level: 'RequestResponse' }], omitManagedFields: true };
    const [, complete] = (await called({ uri: MAPS, policy, handler: json(CONFIG_MAP) })).events;
    expect(complete?.['responseObject']).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'c1' },
      data: {},
    });
  });

  test('contain a body and a patch as JSON, whatever their format', async () => {
    const telling =
      (tell: (context: RequestContext) => void): Handler =>
      async (context) => {
        tell(context);
        return json('{}')(context);
      };
    const metadata = { name: 'c2', uid: 'u', resourceVersion: '7' };
    const body = await called({
      method: 'POST',
      uri: MAPS,
      handler: telling(({ audit: to }) => to?.requestObject({ metadata })),
    });
    expect(body.events[1]).toMatchObject({
      requestObject: { metadata },
      objectRef: { name: 'c2', uid: 'u', resourceVersion: '7' },
    });
    const patch = await called({
      handler: telling(({ audit: to }) => to?.requestPatch(Buffer.from('data:\n  k: v\n'))),
    });
    expect(patch.events[1]).toMatchObject({ requestObject: { data: { k: 'v' } } });
  });
});

test.each([
  [600, { 'apiserver.latency.k8s.io/authentication': '20ms', 'apiserver.latency.k8s.io/total': '600ms' }],
  [500, undefined],
])('annotate the latencies of a request of %i ms', async (took, annotations) => {
  const handler: Handler = async ({ latencies }) => {
    latencies?.took('authentication', 20);
    return { status: 200, headers: {}, body: '' };
  };
  const { events } = await called({ handler, took });
  expect(events.at(-1)?.['annotations']).toEqual(annotations);
});
