import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { importLines } from './import.ts';

const OBJECTS = 150;
const DATA = 'x'.repeat(1_000_000);

async function* large(): AsyncGenerator<string, void> {
  yield '{"davit":"export","format":1,"secrets":true}';
  yield '{"sequence":"main//configmaps","version":9}';
  for (let i = 0; i < OBJECTS; i++) {
    const metadata = { name: `map-${i}`, namespace: 'ns', uid: `uid-${i}` };
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { DATA } };
    yield JSON.stringify({ key: `main//configmaps/ns/map-${i}`, object });
  }
  yield JSON.stringify({ end: true, objects: OBJECTS });
}

test('a log that is large is read once by an import over it', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock, retention: 3_600_000 });
  await importLines(store, large(), clock);
  let reads = 0;
  const counting: SequenceStore = {
    names: () => store.names(),
    close: () => store.close(),
    sequence: (name) => {
      const inner = store.sequence(name);
      return new Proxy(inner, {
        get: (target, method) => {
          if (method === 'snapshot' || method === 'read') reads++;
          const value: unknown = Reflect.get(target, method);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
  };
  expect((await importLines(counting, large(), clock)).objects).toBe(OBJECTS);
  expect(reads).toBeLessThan(5);
});
