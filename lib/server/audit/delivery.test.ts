import { describe, expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { deliverySink } from './delivery.ts';
import { encodeEvent } from './event.ts';
import {
  deliveryFaults,
  formatOf,
  LOG_BATCH,
  logFaults,
  type Mode,
  modeOf,
  TRUNCATE,
  WEBHOOK_BATCH,
} from './options.ts';
import { ignoringLoss, unionSink } from './sink.ts';
import { anEvent, keepingSink } from './testing/an-event.ts';
import { truncateSink } from './truncate.ts';

const quiet = { clock: new ManualClock(), reportLoss: () => {} };

test.each<[Mode, boolean]>([
  ['batch', true],
  ['blocking', true],
  ['blocking-strict', false],
])('handles a loss in the mode %s by continuing the request: %s', async (mode, goesOn) => {
  const { sink } = keepingSink(async () => false);
  expect(await deliverySink(sink, { mode, batch: LOG_BATCH }, quiet).process([anEvent()])).toBe(goesOn);
});

test('passes every event to all sinks, and fails if one of them fails', async () => {
  const [good, bad] = [keepingSink(), keepingSink(async () => false)];
  expect(await unionSink([bad.sink, good.sink]).process([anEvent()])).toBe(false);
  expect(await unionSink([ignoringLoss(bad.sink), good.sink]).process([anEvent()])).toBe(true);
  expect(good.ids()).toEqual(['id-01', 'id-01']);
});

describe('truncation of events', () => {
  const large = anEvent({ level: 'RequestResponse', requestObject: `"${'x'.repeat(5000)}"` });
  const run = async (event: typeof large, maxEventSize: number, maxBatchSize = 10_000) => {
    const kept = keepingSink();
    const lost: number[] = [];
    const sink = truncateSink(
      { maxEventSize, maxBatchSize },
      kept.sink,
      (_, __, events) => void lost.push(events.length),
    );
    await sink.process([event, event]);
    return { batches: kept.batches, lost };
  };

  test('sends a large event without its bodies and marks it', async () => {
    const { batches } = await run(large, 1000);
    const [first] = batches[0] ?? [];
    expect(first?.requestObject).toBeUndefined();
    expect(first?.annotations.get('audit.k8s.io/truncated')).toBe('true');
  });

  test('loses an event that is still too large', async () => {
    expect(await run(large, 100)).toEqual({ batches: [], lost: [2] });
  });

  test('splits a large batch', async () => {
    const { batches } = await run(large, 10_000, encodeEvent(large).length + 1);
    expect(batches.map(({ length }) => length)).toEqual([1, 1]);
  });
});

describe("options of a sink, with upstream's errors", () => {
  const delivery = { mode: 'batch' as const, batch: WEBHOOK_BATCH };
  test.each([
    ['as they are', delivery, []],
    [
      'no buffer',
      { ...delivery, batch: { ...WEBHOOK_BATCH, bufferSize: 0 } },
      ['invalid audit batch webhook buffer size 0, must be a positive number'],
    ],
    ['no buffer in blocking mode', { mode: 'blocking' as const, batch: { ...WEBHOOK_BATCH, bufferSize: 0 } }, []],
    [
      'no throttle',
      { ...delivery, batch: { ...WEBHOOK_BATCH, throttle: { qps: -1, burst: 1 } } },
      ['invalid audit batch webhook throttle QPS -1, must be a positive number'],
    ],
    [
      'a batch smaller than an event',
      { ...delivery, truncate: { ...TRUNCATE, maxBatchSize: 1 } },
      ['invalid audit truncate webhook max batch size 1, must be greater than max event size (102400)'],
    ],
  ])('validates options: %s', (_, options, faults) => {
    expect(deliveryFaults('webhook', options)).toEqual(faults);
  });

  test("validates the log's options", () => {
    const log = { path: '-', maxAge: -1, maxBackups: 0, maxSize: 0, compress: false, format: 'json' as const };
    expect(logFaults({ ...log, ...delivery })).toEqual(["--audit-log-maxage -1 can't be a negative number"]);
    expect(() => modeOf('log', 'x')).toThrow(
      'invalid audit log mode x, allowed modes are "batch,blocking,blocking-strict"',
    );
    expect(() => formatOf('x')).toThrow('invalid audit log format x, allowed formats are "json,legacy"');
  });
});
