import { expect, test } from 'vitest';
import { decodeJson } from '#lib/machinery/json.ts';
import { TransportError, type TransportRequest } from '#lib/server/webhook/transport.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { anEvent } from './testing/an-event.ts';
import { webhookSink } from './webhook.ts';

/** Sends one event to a backend that returns these responses in order: a status, or an error. */
function sent(answers: readonly (number | string)[], { ended = false } = {}) {
  const clock = new ManualClock();
  const requests: TransportRequest[] = [];
  const lost: string[] = [];
  const ending = new AbortController();
  if (ended) ending.abort('ended');
  const sink = webhookSink(
    {
      config: {
        url: 'https://audit.example:8443/k8s',
        caBundle: 'PEM',
        credentials: { token: async () => 'secret', certificate: { certificate: 'C', key: 'K' } },
      },
      initialBackoff: 100,
    },
    {
      clock,
      signal: ending.signal,
      reportLoss: (_, error) => void lost.push(error instanceof Error ? error.message : ''),
      transport: {
        async post(request) {
          requests.push(request);
          const answer = answers[requests.length - 1] ?? 200;
          if (typeof answer === 'string') throw new TransportError(answer);
          return { status: answer, contentType: '', body: new Uint8Array() };
        },
      },
    },
  );
  return { clock, requests, lost, done: sink.process([anEvent()]) };
}

test('posts an EventList to the server of the kubeconfig', async () => {
  const { done, requests } = sent([]);
  expect(await done).toBe(true);
  expect(requests).toMatchObject([
    {
      connect: { host: 'audit.example', port: 8443 },
      path: '/k8s?timeout=30s',
      caBundle: 'PEM',
      client: { certificate: 'C', key: 'K' },
      headers: { authorization: 'Bearer secret' },
    },
  ]);
  expect(decodeJson(requests[0]?.body ?? new Uint8Array()).value).toMatchObject({
    kind: 'EventList',
    items: [{ auditID: 'id-01' }],
  });
});

test.each<[string, (number | string)[], number, string[]]>([
  ['a fault passes', ['refused', 500], 3, []],
  ['it stays', [500, 500, 500, 500, 'reset'], 5, ['reset']],
])('retries at most five times: %s', async (_, answers, attempts, lost) => {
  const call = sent(answers);
  for (const pause of [100, 150, 225, 337.5]) {
    await settled();
    call.clock.advance(pause);
  }
  expect(await call.done).toBe(lost.length === 0);
  expect(call.requests.length).toBe(attempts);
  expect(call.lost).toEqual(lost);
});

test('does not retry after the server shuts down', async () => {
  const { done, requests, lost } = sent([503], { ended: true });
  expect(await done).toBe(false);
  expect([requests.length, lost]).toEqual([1, ['the server responded with the status code 503']]);
});
