import { randomUUID } from 'node:crypto';
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { systemClock } from '#adapters/clock.ts';
import { type ChangeEvent, changeEventSchema } from '#lib/stream/event-schema.ts';
import { sinkConformance } from '#lib/stream/sink.conformance.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { type PlannedAnswer, startPlannedAnswers } from '#test/support/ministack/planned-answers.ts';
import { aQueue, drain, sqsClient } from '#test/support/ministack/queues.ts';
import { credentials, region, startMinistack } from '#test/support/ministack/start.ts';
import { eventBus } from './bus.ts';

const busClient = (at: string, maxAttempts = 1) =>
  new EventBridgeClient({ endpoint: at, region, credentials, maxAttempts });

const anEvent = (name: string, n: number, over: Partial<ChangeEvent> = {}): ChangeEvent => ({
  format: 1,
  clusterId: 'test',
  cluster: 'main',
  sequence: 'main//configmaps',
  type: 'ADDED',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespace: 'default',
  name,
  uid: 'u',
  resourceVersion: String(n),
  ...over,
});

describeOn(await startMinistack(), 'an EventBridge bus', (endpoint) => {
  const arriving = z.object({ source: z.string(), 'detail-type': z.string(), detail: changeEventSchema });

  /** A bus with a rule that sends matching events to a queue. */
  async function aBus(pattern: unknown = { source: ['davit'] }) {
    const client = busClient(endpoint);
    const sqs = sqsClient(endpoint);
    const bus = `bus-${randomUUID()}`;
    const queue = await aQueue(sqs, { fifo: false });
    await client.send(new CreateEventBusCommand({ Name: bus }));
    await client.send(new PutRuleCommand({ Name: 'all', EventBusName: bus, EventPattern: JSON.stringify(pattern) }));
    await client.send(
      new PutTargetsCommand({ Rule: 'all', EventBusName: bus, Targets: [{ Id: 'queue', Arn: queue.arn }] }),
    );
    const arrived = async (count: number) =>
      (await drain(sqs, queue.url, count)).map(({ Body: body = '' }) => arriving.parse(JSON.parse(body)));
    return { sink: eventBus(client, bus, systemClock), arrived };
  }

  sinkConformance<ChangeEvent>(async () => {
    const { sink, arrived } = await aBus();
    return {
      sink,
      entry: (group, n, fill = 0) => anEvent(group, n, { uid: 'x'.repeat(fill) }),
      arrived: async (count) => (await arrived(count)).map(({ detail }) => `${detail.name}/${detail.resourceVersion}`),
      tooMuch: 256 * 1024,
    };
  });

  test('sends source, type and detail as documented', async () => {
    const { sink, arrived } = await aBus();
    const event = anEvent('a', 2, { type: 'DELETED' });
    await sink.send([event]);
    expect(await arrived(1)).toEqual([{ source: 'davit', 'detail-type': 'Object Deleted', detail: event }]);
  });

  test('the documented rule matches the documented events', async () => {
    const { sink, arrived } = await aBus({
      source: ['davit'],
      'detail-type': ['Object Modified'],
      detail: { kind: ['Deployment'], namespace: ['default'], changed: ['spec'] },
    });
    const changed = { type: 'MODIFIED', kind: 'Deployment' } as const;
    await sink.send([
      anEvent('status', 2, { ...changed, changed: ['status'] }),
      anEvent('other', 3, { ...changed, changed: ['spec'], namespace: 'other' }),
      anEvent('added', 4, { kind: 'Deployment' }),
      anEvent('spec', 5, { ...changed, changed: ['metadata', 'spec'] }),
    ]);
    expect((await arrived(1)).map(({ detail }) => detail.name)).toEqual(['spec']);
  });

  test('rejects no event permanently if the bus does not exist', async () => {
    const sink = eventBus(busClient(endpoint.replace(/\d+$/, '1')), 'none', systemClock);
    await expect(sink.send([anEvent('a', 2)])).rejects.toMatchObject({ code: 'Unavailable' });
  });
});

describe('responses of EventBridge', () => {
  const entries = (...codes: (string | undefined)[]): PlannedAnswer => ({
    status: 200,
    body: {
      FailedEntryCount: codes.filter((code) => code !== undefined).length,
      Entries: codes.map((code) => (code === undefined ? { EventId: 'e' } : { ErrorCode: code, ErrorMessage: 'why' })),
    },
  });
  const wrong = (type: string, status = 400): PlannedAnswer => ({ status, body: { __type: type, message: 'why' } });

  async function sendTo(answer: (nth: number) => PlannedAnswer, names = ['a', 'b', 'c']) {
    const service = await startPlannedAnswers((_, nth) => answer(nth));
    const sink = eventBus(busClient(service.endpoint), 'bus', { ...systemClock, sleep: async () => undefined });
    try {
      const refused = await sink.send(names.map((name, i) => anEvent(name, i + 2)));
      return { refused, sent: namesOf(service.requests) };
    } finally {
      await service.stop();
    }
  }

  const requestSchema = z.object({ Entries: z.array(z.object({ Detail: z.string() })) });
  const namesOf = (requests: readonly unknown[]) =>
    requests.map((request) =>
      requestSchema
        .parse(request)
        .Entries.map(({ Detail }) => changeEventSchema.parse(JSON.parse(Detail)).name)
        .join(''),
    );

  test('retries only rejected entries', async () => {
    const answers = [entries(undefined, 'ThrottlingException', 'InternalFailure'), entries(undefined, undefined)];
    expect(await sendTo((nth) => answers[nth - 1])).toEqual({ refused: [], sent: ['abc', 'bc'] });
  });

  test('reports permanently rejected entries and publishes the others', async () => {
    expect(await sendTo(() => entries(undefined, 'MalformedDetail', undefined))).toEqual({
      refused: [{ index: 1, reason: 'MalformedDetail: why' }],
      sent: ['abc'],
    });
  });

  test('sends each entry alone if the whole request is invalid', async () => {
    const answers = [
      wrong('ValidationException'),
      entries(undefined),
      wrong('ValidationException'),
      entries(undefined),
    ];
    expect(await sendTo((nth) => answers[nth - 1])).toEqual({
      refused: [{ index: 1, reason: 'ValidationException: why' }],
      sent: ['abc', 'a', 'b', 'c'],
    });
  });

  test.each([
    ['it throttles', wrong('ThrottlingException'), 'Overloaded'],
    ['it fails', wrong('InternalException', 500), 'Unavailable'],
    ['it denies access', wrong('AccessDeniedException'), 'Unavailable'],
    ['the credentials are expired', wrong('ExpiredTokenException'), 'Unavailable'],
    ['the bus does not exist', wrong('ResourceNotFoundException'), 'Unavailable'],
    ['the connection breaks', undefined, 'Unavailable'],
    ['it never accepts an entry', entries('InternalFailure', 'InternalFailure', 'InternalFailure'), 'Unavailable'],
  ])('rejects no entry permanently when %s', async (_, answer, code) => {
    await expect(sendTo(() => answer)).rejects.toMatchObject({ name: 'StoreError', code });
  });
});
