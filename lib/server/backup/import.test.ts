import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { exportLines } from './export.ts';
import { importLines } from './import.ts';

/** The number of objects of 1 MB each. Together they exceed the cache budget of 64 MB. */
const OBJECTS = 70;
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

test('reads a large log once when it imports over it', async () => {
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

test('stores an object of a built-in kind with the fields that its type always has', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock, retention: 3_600_000 });
  async function* lines(): AsyncGenerator<string> {
    yield '{"davit":"export","format":1,"secrets":true}';
    yield '{"sequence":"main//pods","version":9}';
    yield '{"key":"main//pods/ns/a","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"ns","uid":"u"}}}';
    yield '{"end":true,"objects":1}';
  }
  await importLines(store, lines(), clock);
  const exported: string[] = [];
  for await (const line of exportLines(store, { secrets: false })) exported.push(Buffer.from(line).toString());
  const [body] = exported.filter((line) => line.startsWith('{"key"')).map((line) => JSON.parse(line).object);
  expect(body).toMatchObject({ metadata: { name: 'a' }, spec: { containers: null }, status: {} });
});
