import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { type BatchOptions, BufferedSink } from './buffered.ts';
import { anEvent, keepingSink } from './testing/an-event.ts';

const events = (...ids: string[]) => ids.map((auditID) => anEvent({ auditID }));

function buffered(options: Partial<BatchOptions>, answer?: () => Promise<boolean>) {
  const clock = new ManualClock();
  const kept = keepingSink(answer);
  const lost: string[] = [];
  const sink = new BufferedSink(
    { bufferSize: 10, maxBatchSize: 3, maxBatchWait: 1000, overlaps: false, ...options },
    {
      delegate: kept.sink,
      clock,
      reportLoss: (_, error, gone) =>
        void lost.push(`${error instanceof Error ? error.message : ''}: ${gone.map(({ auditID }) => auditID).join()}`),
    },
  );
  return { clock, sink, lost, ids: kept.ids };
}

test('sends a full batch at once, and the rest after the wait', async () => {
  const { sink, clock, ids } = buffered({});
  await sink.process(events('a', 'b'));
  await settled();
  expect(ids()).toEqual([]);
  await sink.process(events('c', 'd'));
  await settled();
  expect(ids()).toEqual(['a,b,c']);
  clock.advance(1000);
  await settled();
  expect(ids()).toEqual(['a,b,c', 'd']);
});

test('waits for all events in flush', async () => {
  const { sink, ids } = buffered({ overlaps: true });
  await sink.process(events('a', 'b', 'c', 'd'));
  await sink.flush();
  expect(ids()).toEqual(['a,b,c', 'd']);
  await sink.flush();
});

test('loses and reports events above the buffer size, and continues the request', async () => {
  const { sink, lost, ids } = buffered({ bufferSize: 2, maxBatchSize: 2 }, () => new Promise(() => {}));
  expect(await sink.process(events('a', 'b', 'c'))).toBe(true);
  expect(lost).toEqual(['audit buffer queue blocked: c']);
  await settled();
  await sink.process(events('d', 'e', 'f'));
  expect(ids()).toEqual(['a,b']);
  expect(lost.at(-1)).toBe('audit buffer queue blocked: f');
});

test('loses events after close', async () => {
  const { sink, lost, ids } = buffered({});
  await sink.process(events('a'));
  await sink.close();
  await sink.process(events('b'));
  expect(ids()).toEqual(['a']);
  expect(lost).toEqual(['audit backend shut down: b']);
});

test('throttles batches above a burst', async () => {
  const { sink, clock, ids } = buffered({ maxBatchSize: 1, throttle: { qps: 2, burst: 2 } });
  await sink.process(events('a', 'b', 'c', 'd'));
  await settled();
  expect(ids()).toEqual(['a', 'b']);
  clock.advance(500);
  await settled();
  expect(ids()).toEqual(['a', 'b', 'c']);
});

test('sends one batch at a time unless they may overlap', async () => {
  const answers = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
  const once = (overlaps: boolean) => {
    let call = 0;
    return buffered({ maxBatchSize: 1, overlaps }, () => answers[call++]?.promise ?? Promise.resolve(true));
  };
  const [apart, together] = [once(false), once(true)];
  await apart.sink.process(events('a', 'b'));
  await together.sink.process(events('a', 'b'));
  await settled();
  expect([apart.ids(), together.ids()]).toEqual([['a'], ['a', 'b']]);
  for (const answer of answers) answer.resolve(true);
  await settled();
  expect(apart.ids()).toEqual(['a', 'b']);
});
