import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { Nftables, Remembered } from './nftables.ts';
import { EMPTY, type Table } from './table.ts';
import { TableSync } from './table-sync.ts';

/** Records transactions instead of sending them to a kernel. */
class RecordedNftables implements Nftables {
  readonly applied: string[] = [];
  fault: Error | undefined;

  async apply(commands: string): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
    this.applied.push(commands);
  }

  async list(): Promise<string | undefined> {
    return undefined;
  }

  async remembered(): Promise<Remembered> {
    return new Map([
      ['clients', ['10.0.0.1 expires 99s']],
      ['others', ['10.0.0.2 expires 99s']],
    ]);
  }
}

const withChain = (...names: readonly string[]): Table => ({
  ...EMPTY,
  chains: new Map(names.map((name) => [name, { rules: ['accept'] }])),
});

function setup() {
  const nftables = new RecordedNftables();
  const clock = new ManualClock();
  const faults: unknown[] = [];
  const onCleanupFault = (error: unknown): void => void faults.push(error);
  const sync = new TableSync({ nftables, clock, table: { family: 'ip', name: 't' }, onCleanupFault });
  return { nftables, clock, sync, faults };
}

test('replaces the table in the first sync and changes it in later ones', async () => {
  const { nftables, sync } = setup();
  await sync.sync(withChain('a'));
  await sync.sync(withChain('a', 'b'));
  expect(nftables.applied.map((text) => text.includes('delete table'))).toEqual([true, false]);
  expect(await sync.sync(withChain('a', 'b'))).toBe(0);
  expect(nftables.applied.length).toBe(2);
});

test('replaces the table in the sync after a failure', async () => {
  const { nftables, sync } = setup();
  await sync.sync(withChain('a'));
  nftables.fault = new Error('no');
  await expect(sync.sync(withChain('b'))).rejects.toThrow('no');
  expect(sync.isApplied).toBe(false);
  nftables.fault = undefined;
  await sync.sync(withChain('b'));
  expect(nftables.applied.at(-1)).toContain('delete table');
});

test('removes an empty chain after a second, unless it is wanted again', async () => {
  const { nftables, clock, sync } = setup();
  await sync.sync(withChain('a', 'b', 'c'));
  await sync.sync(withChain('a'));
  expect(sync.hasStale).toBe(true);
  clock.advance(1500);
  await sync.sync(withChain('a', 'b'));
  expect(nftables.applied.slice(2)).toEqual(['delete chain ip t c\n', 'add chain ip t b\nadd rule ip t b accept\n']);
  expect(sync.hasStale).toBe(false);
});

test('replaces the table in the next sync if chains cannot be removed', async () => {
  const { nftables, clock, sync, faults } = setup();
  await sync.sync(withChain('a', 'b'));
  await sync.sync(withChain('a'));
  clock.advance(1500);
  nftables.fault = new Error('busy');
  await expect(sync.sync(withChain('a'))).rejects.toThrow('busy');
  expect(faults).toEqual([nftables.fault]);
  nftables.fault = undefined;
  await sync.sync(withChain('a'));
  expect(nftables.applied.at(-1)).toContain('delete table');
  expect(sync.hasStale).toBe(false);
});

test('keeps the endpoints of clients across a replacement, for sets that are still wanted', async () => {
  const { nftables, sync } = setup();
  const clients = { type: 'ipv4_addr', flags: ['dynamic', 'timeout'], timeout: 100 } as const;
  await sync.sync({ ...EMPTY, sets: new Map([['clients', clients]]) });
  expect(nftables.applied.at(-1)?.split('\n').at(-2)).toBe('add element ip t clients { 10.0.0.1 expires 99s }');
  expect(nftables.applied.at(-1)).not.toContain('10.0.0.2');
});
