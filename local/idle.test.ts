import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ControllerTokens } from '#functions/reconcilers/wiring.ts';
import { buildApiserver } from '#functions/apiserver/wiring.ts';
import { overriding } from '#lib/storage/cache/builders.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { Sequence, SequenceStore } from '#lib/storage/sequence.ts';
import { checkpointing } from './checkpointing.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { runControllers } from './controllers.ts';

const RETENTION = 3_600_000;
const READS = ['head', 'readLog', 'snapshot', 'read', 'append', 'compact'] as const;

/** The store, telling each call of each of its sequences. */
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

test('an idle server that nobody watches asks its store for nothing, a minute long', async () => {
  const calls: string[] = [];
  const faults: unknown[] = [];
  const clock = new ManualClock();
  const store = counting(new MemoryStore({ clock, retention: RETENTION }), calls);
  const reportFault = (_: string, error: unknown): void => void faults.push(error);
  const tokens = new ControllerTokens();
  const server = buildApiserver({
    store,
    clock,
    exclusive: true,
    cacheBytes: 1e9,
    serverAddress: '127.0.0.1:1',
    tokens: new Map(tokens.users()),
    reportFault,
  });
  const ending = new AbortController();
  const checkpoints = checkpointing(server, store, {
    clock,
    retention: RETENTION,
    signal: ending.signal,
    reportFault,
  });
  const address = { host: '127.0.0.1', port: 1 };
  const pass = async (seconds: number): Promise<void> => {
    for (let half = 0; half < 2 * seconds; half++) {
      clock.advance(500);
      for (let i = 0; i < 20; i++) await turn();
    }
  };
  const controllers = await runControllers(server, {
    authority: '',
    signer: await newSigner(new Date()),
    address,
    clock,
    sequences: [],
    controllers: ['*'],
    reconcilers: [],
    log: { info() {}, error() {} },
    tokens,
    reportFault,
  });
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
