import { randomUUID } from 'node:crypto';
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { afterAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { countingClient } from '#adapters/aws/dynamodb/counting-client.ts';
import { dynamoDeadLetters } from '#adapters/aws/dynamodb/dead-letters.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { eventBus } from '#adapters/aws/eventbridge/bus.ts';
import { requestQueue } from '#adapters/aws/sqs/request-queue.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { triggerOf } from '#functions/stream/trigger.ts';
import { buildStream } from '#functions/stream/wiring.ts';
import { decodeMessage } from '#lib/client/controller/delivery.ts';
import { changeEventSchema } from '#lib/stream/event-schema.ts';
import { localTable } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { streamRecords } from '#test/support/dynamodb-local/stream.ts';
import { aQueue, drain, sqsClient } from '#test/support/ministack/queues.ts';
import { credentials, region, startMinistack } from '#test/support/ministack/start.ts';
import { needing } from '#test/support/skip.ts';
import { aProposal, CONFIG_MAPS, NAMES } from '#test/support/stream/world.ts';

const local = await startDynamoDbLocal();
const ministack = await startMinistack();
const endpoints = {
  table: 'endpoint' in local ? local.endpoint : '',
  services: 'endpoint' in ministack ? ministack.endpoint : '',
};
const TIME = { hasTime: () => true };
const arriving = z.object({ detail: changeEventSchema });

describe('the stream from a commit to the bus and the queue', needing(local, ministack), () => {
  afterAll(async () => {
    for (const one of [local, ministack]) if ('stop' in one) await one.stop();
  });

  async function aPlatform() {
    const name = `t-${randomUUID()}`;
    const { table, counts, reset } = countingClient(await localTable(endpoints.table, name, { hasStream: true }));
    const sqs = sqsClient(endpoints.services);
    const bridge = new EventBridgeClient({ endpoint: endpoints.services, region, credentials });
    const [requests, events] = [await aQueue(sqs, { fifo: true }), await aQueue(sqs, { fifo: false })];
    await bridge.send(new CreateEventBusCommand({ Name: name }));
    await bridge.send(new PutRuleCommand({ Name: 'all', EventBusName: name, EventPattern: '{"source":["davit"]}' }));
    const Targets = [{ Id: 'queue', Arn: events.arn }];
    await bridge.send(new PutTargetsCommand({ Rule: 'all', EventBusName: name, Targets }));
    const open = () =>
      buildStream({
        store: dynamoStore(table, { clock }),
        bus: eventBus(bridge, name, clock),
        queue: requestQueue(sqs, requests.url, clock),
        deadLetters: dynamoDeadLetters(table, clock),
        reconcilers: [NAMES],
        publish: [],
        clusterId: 'test',
        clock,
      });
    const log = dynamoStore(table, { clock }).sequence(CONFIG_MAPS);
    return {
      name,
      sqs,
      requests,
      open,
      write: async (...names: string[]) =>
        log.append(
          await log.head(),
          names.map((each) => aProposal(each)),
          { nonce: randomUUID() },
        ),
      rung: async () =>
        (await streamRecords(endpoints.table, name)).filter((record) => {
          const trigger = triggerOf({ Records: [record] });
          return 'ring' in trigger && trigger.ring.length > 0;
        }),
      published: async (count: number) =>
        (await drain(sqs, events.url, count, 1)).map(({ Body: body = '' }) => arriving.parse(JSON.parse(body)).detail),
      sent: async (count: number) =>
        (await drain(sqs, requests.url, count, 1)).map(({ Body: body = '' }) => decodeMessage(body).name),
      counts,
      reset,
    };
  }

  test('reads, publishes, sends and folds a log from one record', async () => {
    const { open, write, rung, published, sent } = await aPlatform();
    await write('a', 'b');
    const stream = open();
    expect(await stream.handle(triggerOf({ Records: await rung() }), TIME)).toMatchObject({ lag: 0, faults: [] });
    expect((await published(2)).map(({ name }) => name).sort()).toEqual(['a', 'b']);
    expect((await sent(2)).sort()).toEqual(['a', 'b']);
  });

  test('one write triggers one run, and the writes of a run trigger no other', async () => {
    const { open, write, rung } = await aPlatform();
    await write('born');
    const stream = open();
    await stream.handle({ ring: [CONFIG_MAPS] }, TIME);
    const before = (await rung()).length;
    await write('a');
    await stream.handle({ ring: [CONFIG_MAPS] }, TIME);
    await stream.handle({ ringAll: true }, TIME);
    expect((await rung()).length - before).toBe(1);
  });

  test('sends nothing again from another process with the same trigger', async () => {
    const { open, write, published, sent } = await aPlatform();
    await write('a');
    await Promise.all([open(), open()].map((stream) => stream.handle({ ring: [CONFIG_MAPS] }, TIME)));
    await open().handle({ ringAll: true }, TIME);
    expect(new Set((await published(9)).map(({ resourceVersion }) => resourceVersion))).toEqual(new Set(['2']));
    expect(await sent(9)).toEqual(['a']);
  });

  test('costs the documented units of the table per write in a warm process', async () => {
    const { open, write, counts, reset } = await aPlatform();
    const stream = open();
    for (const name of ['a', 'b']) {
      await write(name);
      await stream.handle({ ring: [CONFIG_MAPS] }, TIME);
    }
    await write('c');
    reset();
    await stream.handle({ ring: [CONFIG_MAPS] }, TIME);
    const ofWrite = structuredClone(counts);
    reset();
    await stream.handle({ ring: [CONFIG_MAPS] }, TIME);
    console.log(`a ring: ${JSON.stringify(ofWrite)}; for nothing: ${JSON.stringify(counts)}`);
    expect(ofWrite).toMatchObject({ reads: 6, writes: 4 }); // the state, the watermark, two cursors
    expect(counts).toMatchObject({ reads: 5, writes: 0 });
  });

  test('runs as a function, configured by its environment', async () => {
    const { name, write, rung, published, requests, sqs } = await aPlatform();
    Object.assign(process.env, {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL: endpoints.services,
      AWS_ENDPOINT_URL_DYNAMODB: endpoints.table,
      DAVIT_TABLE: name,
      DAVIT_CLUSTER_ID: 'prod',
      DAVIT_BUS: name,
      DAVIT_QUEUE_URL: requests.url,
    });
    const { handler } = await import('#functions/stream/handler.ts');
    await write('a');
    const lines: string[] = [];
    const spied = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    const context = { functionName: 'stream', awsRequestId: 'r', getRemainingTimeInMillis: () => 60_000 };
    await handler({ Records: await rung() }, context);
    const late = await Promise.allSettled([
      write('b').then(() => handler({ schedule: 'hourly' }, { ...context, getRemainingTimeInMillis: () => 1_000 })),
    ]);
    spied.mockRestore();
    expect((await published(1)).map(({ clusterId, name: of }) => `${clusterId} ${of}`)).toEqual(['prod a']);
    expect((await drain(sqs, requests.url, 1)).length).toBeGreaterThan(0);
    const metrics = lines.filter((line) => line.includes('_aws')).map((line) => JSON.parse(line) as unknown);
    expect(metrics).toMatchObject([{ FunctionName: 'stream', Lag: 1 }]);
    expect(late).toMatchObject([{ status: 'rejected', reason: { code: 'Unavailable' } }]);
  });
});
