import { expect, test } from 'vitest';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import type { Storage } from '#lib/storage/storage.ts';
import { checkpointing } from './checkpointing.ts';

test('continues with other sequences if one cannot be read', async () => {
  const ending = new AbortController();
  const clock = new ManualClock();
  const told: string[] = [];
  const lost = { head: () => Promise.reject(new Error('lost')) } as unknown as Storage;
  const whole = { head: async () => 1 } as unknown as Storage;
  const server = {
    onStorage: (opened: (storage: Storage, name: string) => void) => {
      opened(lost, 'main/lost');
      opened(whole, 'main/whole');
    },
  } as unknown as Apiserver;
  const store = {
    sequence: (name: string) => ({ compact: async () => ending.abort(void told.push(`folded ${name}`)) }),
  } as unknown as SequenceStore;
  await checkpointing(server, store, {
    clock: { now: () => clock.now(), monotonic: () => clock.monotonic(), sleep: async () => clock.advance(2000) },
    retention: 60_000,
    signal: ending.signal,
    reportFault: (at) => told.push(at),
  });
  expect(told).toEqual(['checkpoint of main/lost', 'folded main/whole']);
});

test('folds only sequences with new changes, and all of them once per retention period', async () => {
  const ending = new AbortController();
  const clock = new ManualClock();
  const folds: string[] = [];
  let head = 1;
  const storage = { head: async () => head } as unknown as Storage;
  const server = {
    onStorage: (opened: (storage: Storage, name: string) => void) => opened(storage, 'main/x'),
  } as unknown as Apiserver;
  const store = {
    sequence: (name: string) => ({ compact: async () => folds.push(`${name}@${head}`) }),
  } as unknown as SequenceStore;
  let turns = 0;
  const steps: Record<number, () => void> = {
    3: () => (head = 2),
    6: () => clock.advance(60_000),
    8: () => ending.abort(),
  };
  const stepping = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: async () => {
      turns += 1;
      clock.advance(2000);
      steps[turns]?.();
    },
  };
  await checkpointing(server, store, {
    clock: stepping,
    retention: 60_000,
    signal: ending.signal,
    reportFault: () => {},
  });
  expect(folds).toEqual(['main/x@1', 'main/x@2', 'main/x@2']);
});

test('reports a full disk once, until a fold succeeds', async () => {
  const ending = new AbortController();
  const clock = new ManualClock();
  const told: string[] = [];
  const outcomes = ['full', 'full', 'done', 'full', 'end'];
  let head = 1;
  const storage = { head: async () => ++head } as unknown as Storage;
  const server = {
    onStorage: (opened: (storage: Storage, name: string) => void) => opened(storage, 'main/x'),
  } as unknown as Apiserver;
  const compact = async (): Promise<void> => {
    const outcome = outcomes.shift();
    told.push(`${outcome}`);
    if (outcome === 'full') throw new StoreError('NoSpace', 'no space');
    if (outcome === 'end') ending.abort();
  };
  await checkpointing(server, { sequence: () => ({ compact }) } as unknown as SequenceStore, {
    clock: { now: () => clock.now(), monotonic: () => clock.monotonic(), sleep: async () => clock.advance(2000) },
    retention: 60_000,
    signal: ending.signal,
    reportFault: () => told.push('reported'),
  });
  expect(told).toEqual(['full', 'reported', 'full', 'done', 'full', 'reported', 'end']);
});
