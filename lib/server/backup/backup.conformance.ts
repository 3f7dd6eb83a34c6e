import { describe, expect, test } from 'vitest';
import { decodeTyped } from '#lib/api/codec/decode.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { encodeObject, parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { parseKey } from '#lib/storage/keys.ts';
import { EPOCH, type SequenceStore } from '#lib/storage/sequence.ts';
import { sequenceOf } from '#lib/storage/sequences.ts';
import { type ExportOptions, exportLines } from './export.ts';
import { importLines } from './import.ts';
import { raiseEpochs } from './restore.ts';

export interface BackupBench {
  /** Opens another, empty store. */
  open(): Promise<SequenceStore> | SequenceStore;
  readonly clock: Clock;
}

interface Given {
  readonly kind: string;
  readonly owner?: string;
  readonly generation?: bigint;
  readonly more?: JsonObject;
}

function anObject(name: string, { kind, owner, generation, more = {} }: Given): JsonObject {
  const metadata: JsonObject = {
    name,
    namespace: 'ns',
    uid: `uid-${name}`,
    creationTimestamp: '2020-01-02T03:04:05Z',
    ...defined({ generation }),
  };
  if (owner !== undefined)
    metadata['ownerReferences'] = [{ apiVersion: 'v1', kind: 'X', name: owner, uid: `uid-${owner}`, controller: true }];
  const group = kind === 'ReplicaSet' || kind === 'Deployment' ? 'apps' : '';
  return decodeTyped({ group, version: 'v1', kind }, { metadata, ...more }).object;
}

/** The objects by key. They are deliberately not in the order of their ownership. */
const OBJECTS: Readonly<Record<string, JsonObject>> = {
  'main//namespaces//ns': anObject('ns', { kind: 'Namespace', more: { status: { phase: 'Active' } } }),
  'main//configmaps/ns/owned': anObject('owned', { kind: 'ConfigMap', owner: 'zz-late' }),
  'main//configmaps/ns/zz-late': anObject('zz-late', { kind: 'ConfigMap', owner: 'pod' }),
  'main//configmaps/ns/orphan': anObject('orphan', { kind: 'ConfigMap', owner: 'nobody' }),
  'main//pods/ns/pod': anObject('pod', { kind: 'Pod', owner: 'set', more: { status: { phase: 'Running' } } }),
  'main//secrets/ns/secret': anObject('secret', { kind: 'Secret', more: { data: { a: 'c2VjcmV0' } } }),
  'main/apps/deployments/ns/deployment': anObject('deployment', { kind: 'Deployment' }),
  'main/apps/replicasets/ns/set': anObject('set', { kind: 'ReplicaSet', owner: 'deployment' }),
  'main/apps/replicasets/ns/large': anObject('large', { kind: 'ReplicaSet', generation: 9_007_199_254_740_993n }),
};

/** The shared test suite for backends, which exports their objects and imports them into another store. */
export function backsUp(backend: string, bench: () => Promise<BackupBench> | BackupBench): void {
  describe(`a backup of ${backend}`, () => {
    const cacheOf = (store: SequenceStore, clock: Clock, key: string) => {
      const { cluster, group, resource } = parseKey(key);
      const sequence = store.sequence(sequenceOf(cluster, { group, resource }));
      return new ResourceCache({ sequence, clock, summarize: summarizeBody });
    };

    const fill = async ({ open, clock }: BackupBench): Promise<SequenceStore> => {
      const store = await open();
      for (const [key, object] of Object.entries(OBJECTS)) {
        const body = encodeObject(object);
        const summary = summarizeBody(body);
        await cacheOf(store, clock, key).mutate(key, () => ({ action: 'put', body, summary, result: '' }));
      }
      return store;
    };

    const exported = async (store: SequenceStore, options: ExportOptions = { secrets: true }): Promise<string[]> => {
      const lines: string[] = [];
      for await (const line of exportLines(store, options)) lines.push(Buffer.from(line).toString().trimEnd());
      return lines;
    };

    async function* each(lines: readonly string[]) {
      yield* lines;
    }

    const all = async (store: SequenceStore): Promise<Map<string, JsonObject>> => {
      const objects = new Map<string, JsonObject>();
      for (const name of await store.names()) {
        const { changes } = await store
          .sequence(name)
          .readLog(await floorOf(store, name), { limit: 99, consistent: true });
        for (const { key, body } of changes) objects.set(key, parsed(body));
      }
      return objects;
    };

    const floorOf = async (store: SequenceStore, name: string) =>
      Math.floor((await store.sequence(name).head()) / EPOCH) * EPOCH + 1;

    test('restores every object unchanged except for its version', async () => {
      const given = await bench();
      const source = await fill(given);
      const target = await given.open();
      const result = await importLines(target, each(await exported(source)), given.clock);
      expect(result.objects).toBe(Object.keys(OBJECTS).length);
      const found = await all(target);
      for (const [key, object] of Object.entries(OBJECTS)) {
        const { metadata, ...rest } = found.get(key) ?? {};
        const { metadata: before, ...expected } = object;
        expect(rest).toEqual(expected);
        const version = stringAt(isObject(metadata) ? metadata : undefined, 'resourceVersion');
        expect(metadata).toEqual({ ...(isObject(before) ? before : {}), resourceVersion: version });
        expect(Number(version)).toBeGreaterThan(EPOCH);
      }
    });

    test('stores owners before their dependents in an import, which may be repeated', async () => {
      const given = await bench();
      const lines = await exported(await fill(given));
      const target = await given.open();
      const order: string[] = [];
      const watched = recording(target, order);
      await importLines(watched, each(lines), given.clock);
      const at = (name: string): number => order.findIndex((key) => key.endsWith(`/${name}`));
      const chain = ['ns', 'deployment', 'set', 'pod', 'zz-late', 'owned'].map(at);
      expect(chain).toEqual([...chain].sort((a, b) => a - b));
      expect(chain).not.toContain(-1);
      await importLines(target, each(lines), given.clock);
      expect((await all(target)).size).toBe(Object.keys(OBJECTS).length);
    });

    test('omits Secrets unless requested', async () => {
      const given = await bench();
      const source = await fill(given);
      const without = await exported(source, { secrets: false });
      expect(without.join('\n')).not.toContain('c2VjcmV0');
      expect((await exported(source)).join('\n')).toContain('c2VjcmV0');
      const result = await importLines(await given.open(), each(without), given.clock);
      expect(result.objects).toBe(Object.keys(OBJECTS).length - 1);
    });

    test('ends earlier watches as expired and makes the next list newer', async () => {
      const given = await bench();
      const source = await fill(given);
      const key = 'main//configmaps/ns/owned';
      const before = await cacheOf(source, given.clock, key).head();
      const target = await given.open();
      await importLines(target, each(await exported(source)), given.clock);
      const cache = cacheOf(target, given.clock, key);
      const { signal } = new AbortController();
      const stream = cache.watch({ prefix: 'main//configmaps/', after: before, bookmarks: false, signal });
      await expect(stream.next()).rejects.toMatchObject({ code: 'Expired' });
      const { version, objects } = await cache.list({ prefix: 'main//configmaps/', at: { kind: 'fresh' }, limit: 0 });
      expect(version).toBeGreaterThan(before);
      for (const object of objects) expect(object.version).toBeGreaterThan(before);
    });

    test('never reuses the versions that a restored store has lost', async () => {
      const given = await bench();
      const store = await fill(given);
      const key = 'main//configmaps/ns/owned';
      const before = await cacheOf(store, given.clock, key).head();
      expect(await raiseEpochs(store)).toBe((await store.names()).length);
      const restored = cacheOf(store, given.clock, key);
      const { signal } = new AbortController();
      const resumed = restored.watch({ prefix: 'main//configmaps/', after: before, bookmarks: false, signal });
      await expect(resumed.next()).rejects.toMatchObject({ code: 'Expired' });
      const { version, objects } = await restored.list({
        prefix: 'main//configmaps/',
        at: { kind: 'fresh' },
        limit: 0,
      });
      expect(version).toBeGreaterThan(EPOCH);
      expect(objects).toHaveLength(3);
    });

    test.each<[string, (lines: string[]) => string[], string]>([
      ['ends early', (lines) => lines.slice(0, -1), 'the export ends early'],
      ['lacks an object', (lines) => lines.filter((line) => !line.includes('"uid-pod",')), 'the export ends early'],
      ['is empty', () => [], 'the file is empty'],
      ['is not an export', () => ['{"kind":"List"}'], 'line 1: a line is none of an export'],
      ['contains invalid JSON', (lines) => [lines[0] ?? '', '{'], 'line 2: a line is no JSON'],
      ['begins with an object', (lines) => lines.slice(1), 'the file is no export'],
      ['is of a newer format', (lines) => [lines[0]?.replace('"format":1', '"format":2') ?? ''], 'format 2 of exports'],
    ])('rejects a file that %s', async (_, spoil, text) => {
      const given = await bench();
      const lines = spoil(await exported(await fill(given)));
      await expect(importLines(await given.open(), each(lines), given.clock)).rejects.toThrow(text);
    });
  });
}

function parsed(body: Uint8Array): JsonObject {
  const value = parseStored(body);
  return isObject(value) ? value : (objectAt({}, '') ?? {});
}

/** A store that records the keys in commit order. */
function recording(store: SequenceStore, order: string[]): SequenceStore {
  return {
    names: () => store.names(),
    close: () => store.close(),
    sequence: (name) => {
      const inner = store.sequence(name);
      return new Proxy(inner, {
        get: (target, method) => {
          if (method !== 'append') {
            const value: unknown = Reflect.get(target, method);
            return typeof value === 'function' ? value.bind(target) : value;
          }
          return async (...args: Parameters<typeof inner.append>) => {
            const result = await inner.append(...args);
            if (result.ok) order.push(...args[1].map(({ key }) => key));
            return result;
          };
        },
      });
    },
  };
}
