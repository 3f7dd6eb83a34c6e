import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { decodeMessage, messageOf, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { sinkConformance } from '#lib/stream/sink.conformance.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { type PlannedAnswer, startPlannedAnswers } from '#test/support/ministack/planned-answers.ts';
import { aQueue, drain, sqsClient } from '#test/support/ministack/queues.ts';
import { credentials, region, startMinistack } from '#test/support/ministack/start.ts';
import { requestQueue } from './request-queue.ts';

const aMessage = (name: string, version: number, namespace = 'default'): ReconcileMessage =>
  messageOf({ reconciler: 'r', cluster: 'main', namespace, name, sequence: 'main//configmaps', version });

describeOn(await startMinistack(), 'a request queue', (endpoint) => {
  async function aRequestQueue() {
    const client = sqsClient(endpoint);
    const { url } = await aQueue(client, { fifo: true });
    const arrived = async (count: number, patience?: number) =>
      (await drain(client, url, count, patience)).map(({ Body: body = '' }) => decodeMessage(body));
    return { sink: requestQueue(client, url, systemClock), arrived };
  }

  sinkConformance<ReconcileMessage>(async () => {
    const { sink, arrived } = await aRequestQueue();
    return {
      sink,
      entry: (group, n, fill = 0) => ({ ...aMessage(group, n), sequence: 'x'.repeat(fill) }),
      arrived: async (count) => (await arrived(count)).map(({ name, version }) => `${name}/${version}`),
      tooMuch: 256 * 1024,
    };
  });

  test("keeps the order of one object's messages, whether sent one by one or together", async () => {
    const { sink, arrived } = await aRequestQueue();
    const versions = Array.from({ length: 12 }, (_, i) => i + 2);
    await sink.send(versions.slice(0, 5).map((version) => aMessage('a', version)));
    for (const version of versions.slice(5)) await sink.send([aMessage('a', version), aMessage('b', version)]);
    const there = await arrived(19);
    expect(there.filter(({ name }) => name === 'a').map(({ version }) => version)).toEqual(versions);
  });

  test('sends the same change twice as one message, and again through `later` as another', async () => {
    const { sink, arrived } = await aRequestQueue();
    await sink.send([aMessage('a', 2), aMessage('b', 2)]);
    await sink.send([aMessage('a', 2), { ...aMessage('b', 2), attempt: 2, later: 'nonce' }, aMessage('a', 3)]);
    const there = (await arrived(9, 1)).map(({ name, version, later }) => `${name}${version}${later ?? ''}`);
    expect(there.sort()).toEqual(['a2', 'a3', 'b2', 'b2nonce']);
  });
});

describe('responses of SQS', () => {
  async function sendTo(answer: (nth: number) => PlannedAnswer) {
    const service = await startPlannedAnswers((_, nth) => answer(nth));
    const client = new SQSClient({ endpoint: service.endpoint, region, credentials, maxAttempts: 1, md5: false });
    const clock = { ...systemClock, sleep: async () => undefined };
    try {
      return await requestQueue(client, `${service.endpoint}/q`, clock).send([aMessage('a', 2), aMessage('b', 2)]);
    } finally {
      await service.stop();
    }
  }
  const taken = (id: string) => ({ Id: id, MessageId: 'm', MD5OfMessageBody: '' });
  const failed = (id: string, ours: boolean) => ({ Id: id, Code: 'Why', Message: 'so', SenderFault: ours });
  const wrong = (type: string, status = 400): PlannedAnswer => ({ status, body: { __type: type, message: 'why' } });

  test('retries messages after a service failure', async () => {
    const answers = [{ Successful: [taken('0')], Failed: [failed('1', false)] }, { Successful: [taken('0')] }];
    expect(await sendTo((nth) => ({ status: 200, body: answers[nth - 1] }))).toEqual([]);
  });

  test('rejects messages with a fault of their own', async () => {
    const body = { Successful: [taken('0')], Failed: [failed('1', true)] };
    expect(await sendTo(() => ({ status: 200, body }))).toEqual([{ index: 1, reason: 'Why: so' }]);
  });

  test('sends each message to its queue and finds rejected ones by their index', async () => {
    const urls: unknown[] = [];
    const service = await startPlannedAnswers((request) => {
      const { QueueUrl, Entries } = request as { readonly QueueUrl: string; readonly Entries: readonly unknown[] };
      urls.push(`${QueueUrl.slice(service.endpoint.length)} ${Entries.length}`);
      return { status: 200, body: { Successful: [taken('0')], Failed: [failed('1', true)] } };
    });
    const client = new SQSClient({ endpoint: service.endpoint, region, credentials, maxAttempts: 1, md5: false });
    const messages = [aMessage('a', 2), aMessage('b', 2), aMessage('c', 2)].map((message, i) =>
      i === 0 ? message : { ...message, queue: 'sites.fifo' },
    );
    const refused = await requestQueue(client, `${service.endpoint}/1/q.fifo`, systemClock).send(messages);
    await service.stop();
    expect(urls).toEqual(['/1/q.fifo 1', '/1/sites.fifo 2']);
    expect(refused).toEqual([{ index: 2, reason: 'Why: so' }]);
  });

  test.each([
    ['it throttles', wrong('com.amazonaws.sqs#RequestThrottled'), 'Overloaded'],
    ['it fails', wrong('InternalFailure', 500), 'Unavailable'],
    ['the queue does not exist', wrong('com.amazonaws.sqs#QueueDoesNotExist'), 'Unavailable'],
    ['the connection breaks', undefined, 'Unavailable'],
  ])('rejects no message permanently when %s', async (_, answer, code) => {
    await expect(sendTo(() => answer)).rejects.toMatchObject({ name: 'StoreError', code });
  });
});
