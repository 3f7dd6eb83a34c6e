import { expect, test } from 'vitest';
import type { BackendResponse } from '#lib/server/channel/round-tripper.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { eventually } from '#test/support/eventually.ts';
import { discoveryCheck } from './discovery-check.ts';
import { anAnswer, answering, aRemote } from './testing.ts';

const URL = 'https://10.0.0.2:8443/apis/wardle.example.com/v1';
const FAILED = `failing or missing response from ${URL}: `;

test.each<[string, () => BackendResponse | Promise<BackendResponse>, string | undefined]>([
  ['responds', () => anAnswer(200), undefined],
  ['returns 403', () => anAnswer(403), `${FAILED}bad status from ${URL}: 403`],
  ['redirects', () => anAnswer(302, '', { location: '/' }), `${FAILED}bad status from ${URL}: 302`],
  ['returns 304', () => anAnswer(304), `${FAILED}bad status from ${URL}: 304`],
  ['closes the connection', () => Promise.reject(new TransportError('EOF')), `${FAILED}Get "${URL}": EOF`],
])('checks a server that %s', async (_, send, expected) => {
  const ports = answering(new ManualClock(), send);
  expect(await discoveryCheck(ports)(aRemote())).toBe(expected);
  expect(ports.sent[0]?.headers).toMatchObject({
    'x-remote-user': 'system:kube-aggregator',
    'x-remote-group': ['system:masters'],
  });
});

test('succeeds if one endpoint responds', async () => {
  const answers = [500, 500, 500, 200];
  expect(await discoveryCheck(answering(new ManualClock(), () => anAnswer(answers.shift() ?? 500)))(aRemote())).toBe(
    undefined,
  );
});

test('fails after 5 seconds if a server hangs', async () => {
  const clock = new ManualClock();
  const ports = answering(clock, () => new Promise(() => {}));
  const checked = discoveryCheck(ports)(aRemote());
  await eventually(() => expect(ports.sent.length).toBe(5));
  clock.advance(5000);
  expect(await checked).toBe(
    `${FAILED}Get "${URL}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
  );
});
