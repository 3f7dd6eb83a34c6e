import { expect, test } from 'vitest';
import { overriding } from '#lib/storage/cache/builders.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { Sequence, SequenceStore } from '#lib/storage/sequence.ts';
import { inStep } from '#test/support/controllers/in-step.ts';
import { RETENTION } from '#test/support/server-in-process.ts';
import { checkpointing } from './checkpointing.ts';

const READS = ['head', 'readLog', 'snapshot', 'read', 'append', 'compact'] as const;

/** The store, with each call to its sequences recorded. */
function counting(store: SequenceStore, calls: string[]): SequenceStore {
  const told = (name: string, inner: Sequence): Sequence => {
    const methods = READS.map((method) => [
      method,
      (...given: never[]) => {
        calls.push(`${method} of ${name}`);
        return (inner[method] as (...all: never[]) => unknown)(...given);
      },
    ]);
    return overriding(inner, Object.fromEntries(methods) as Partial<Sequence>);
  };
  return {
    sequence: (name) => told(name, store.sequence(name)),
    names: () => store.names(),
    close: () => store.close(),
  };
}

test('an idle server without watches makes no store request for a minute', async () => {
  const calls: string[] = [];
  const clock = new ManualClock();
  const store = counting(new MemoryStore({ clock, retention: RETENTION }), calls);
  const { server, faults, reportFault, pass, control } = inStep(store, clock);
  const ending = new AbortController();
  const checkpoints = checkpointing(server, store, {
    clock,
    retention: RETENTION,
    signal: ending.signal,
    reportFault,
  });
  const controllers = await control('*');
  await pass(30);
  expect(calls).toContain('append of main/control');
  expect(calls).toContain('compact of main/control');

  calls.length = 0;
  await pass(60);
  expect(calls).toEqual([]);
  expect(faults).toEqual([]);

  ending.abort();
  await controllers.close();
  await checkpoints;
  await server.close();
});
