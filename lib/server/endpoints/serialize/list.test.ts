import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import { CONFIG_MAPS, FLOW_SCHEMAS } from '#lib/api/types/resources.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { builtInResources } from '#lib/server/registry/built-in.ts';
import { CellBudget } from '#lib/server/registry/cell-budget.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import { servedObject } from '#lib/server/registry/store/encode.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import { type Batches, type Chunks, forWhole, listBody } from './chunks.ts';
import { encode } from './encode.ts';
import { jsonList, jsonMetadataList, jsonTable } from './json-list.ts';
import { partialMetadata } from './partial-metadata.ts';
import { protobufList, protobufMetadataList } from './protobuf-list.ts';
import { type TableRequest, table } from './table.ts';

const JSON_TYPE = { mediaType: 'application/json', pretty: false } as const;
const INDENTED = { mediaType: 'application/json', pretty: true } as const;
const PROTOBUF = { mediaType: 'application/vnd.kubernetes.protobuf', pretty: false } as const;

const clock = new ManualClock();
const store = new MemoryStore({ clock, retention: 60_000 });
const storage = new ResourceCache({ sequence: store.sequence('all'), clock, summarize: summarizeBody });
const resources = builtInResources(() => storage, { guards: () => ({}), strategies: {} });
const known = (gvr: Parameters<typeof resources.find>[0]): ResourceDefinition => {
  const found = resources.find(gvr);
  if (found === undefined) throw new Error(`no ${gvr.resource}`);
  return found;
};
const maps = known(CONFIG_MAPS);
const schemas = known(FLOW_SCHEMAS);

const stored = (object: JsonObject): StoredObject => {
  const body = encodeObject(object);
  return { key: 'key', version: 1, body, summary: summarizeBody(body), views: new Map() };
};

async function* batchesOf(objects: readonly StoredObject[], size: number): Batches {
  for (let i = 0; i < objects.length; i += size) yield objects.slice(i, i + size);
}

async function bytesOf(chunks: Chunks): Promise<Buffer> {
  const body = await listBody(chunks);
  if (body instanceof Uint8Array) return Buffer.from(body);
  const parts: Uint8Array[] = [];
  for await (const chunk of body) parts.push(chunk);
  return Buffer.concat(parts);
}

const text = fc.string({ unit: 'binary', maxLength: 20 }).map((given) => Buffer.from(given).toString());
const strings = fc.dictionary(text, text, { maxKeys: 3 });
const map = fc
  .record({ name: text, labels: strings, annotations: strings, data: strings, large: fc.nat(1) })
  .map(({ name, labels, annotations, data, large }) => ({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {
      name,
      resourceVersion: '7',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels,
      annotations: { ...annotations, large: '<'.repeat(large * 1_000) + 'x'.repeat(large * 70_000) },
    },
    data,
  }));
const lists = fc.record({ objects: fc.array(map, { maxLength: 6 }), size: fc.integer({ min: 1, max: 5 }) });
const metadata = { resourceVersion: '9', continue: 'a-token', remainingItemCount: 3 };

/** The streamed bytes of a list, and those of the whole document. */
interface Form {
  streamed(batches: () => Batches): Chunks;
  whole(objects: readonly JsonObject[]): Uint8Array | string;
}

const listing = (batches: () => Batches) => ({ batches: batches(), again: async () => batches() });
const now = new Date(1_800_000_000_000);
const tableOf = (include: 'None' | 'Metadata' | 'Object') => (): TableRequest => {
  return { metadata, include, now, version: 'v1', headers: true, budget: new CellBudget() };
};
const wholeTable = (definition: ResourceDefinition, objects: readonly JsonObject[], request = tableOf('Object')) => {
  const { rows: _, ...head } = table(definition, {}, request());
  const rows = objects.map((object) => table(definition, object, request())['rows']);
  return { ...head, rows: rows.flatMap((row) => (Array.isArray(row) ? row : [])) };
};
const partial = (objects: readonly JsonObject[], version: string): JsonObject => ({
  kind: 'PartialObjectMetadataList',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
  items: objects.length === 0 ? null : objects.map((object) => partialMetadata(object, version)),
});
const configMapList = (objects: readonly JsonObject[]): JsonObject => {
  const items = objects.map(({ metadata: own = {}, data = {} }) => ({ metadata: own, data }));
  return { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items };
};

type JsonForm = typeof JSON_TYPE | typeof INDENTED;

const jsonForms = (how: string, form: JsonForm): [string, Form][] => {
  const written = { pretty: form.pretty, turn: undefined };
  return [
    [
      `a list as ${how}`,
      {
        streamed: (batches) => jsonList(maps, batches(), metadata, written),
        whole: (objects) => encode(configMapList(objects), form),
      },
    ],
    [
      `metadata as ${how}`,
      {
        streamed: (batches) => jsonMetadataList(maps, batches(), { version: 'v1', metadata }, written),
        whole: (objects) => encode(partial(objects, 'v1'), form),
      },
    ],
    ...(['None', 'Metadata', 'Object'] as const).map((include): [string, Form] => [
      `a Table with ${include} as ${how}`,
      {
        streamed: (batches) => jsonTable(maps, batches(), tableOf(include)(), written),
        whole: (objects) => encode(wholeTable(maps, objects, tableOf(include)), form),
      },
    ]),
  ];
};

const forms: readonly [string, Form][] = [
  ...jsonForms('JSON', JSON_TYPE),
  ...jsonForms('indented JSON', INDENTED),
  [
    'a list as protobuf',
    {
      streamed: (batches) => protobufList(maps, listing(batches), metadata, undefined),
      whole: (objects) => encode(configMapList(objects), PROTOBUF),
    },
  ],
  [
    'metadata as protobuf',
    {
      streamed: (batches) => protobufMetadataList(maps, listing(batches), { version: 'v1', metadata }, undefined),
      whole: (objects) => encode(partial(objects, 'v1'), PROTOBUF),
    },
  ],
];

describe('a streamed list has the same bytes as the whole document', () => {
  test.each(forms)('has the same bytes when streamed: %s', async (_, { streamed, whole }) => {
    await fc.assert(
      fc.asyncProperty(lists, async ({ objects, size }) => {
        const all = objects.map(stored);
        const made = await bytesOf(streamed(() => batchesOf(all, size)));
        const expected = Buffer.from(whole(all.map((object) => servedObject(maps, object))));
        expect(made.equals(expected)).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  test('starts to send a long list before it is completely read', async () => {
    let read = 0;
    async function* counted(): Batches {
      const one = stored({
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { name: 'a', labels: { l: 'x'.repeat(1000) } },
      });
      for (; read < 10_000; read++) yield [one];
    }
    const body = await listBody(jsonTable(maps, counted(), tableOf('Metadata')(), { pretty: false, turn: undefined }));
    expect(body).not.toBeInstanceOf(Uint8Array);
    expect(read).toBeLessThan(1_200);
  });
});

describe('objects of a body that is built as a whole', () => {
  const body = Buffer.alloc(1024 * 1024);
  const read = async (mebibytes: number): Promise<number> => {
    const large = Array.from({ length: mebibytes }, () => ({ ...stored({}), body }));
    let found = 0;
    for await (const batch of forWhole(batchesOf(large, 4))) found += batch.length;
    return found;
  };

  test('may have 32 MiB', async () => expect(await read(32)).toBe(32));

  test('are rejected above that with a 413 that names the parameter for pages', async () => {
    const expected = { reason: 'RequestEntityTooLarge', code: 413, message: expect.stringContaining('set "limit"') };
    await expect(read(33)).rejects.toMatchObject(expected);
  });
});

test('sorts ordered rows, whatever the batches', async () => {
  const objects = [9, 2, 5].map((matchingPrecedence) =>
    stored({
      kind: 'FlowSchema',
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      metadata: { name: `s${matchingPrecedence}` },
      spec: { matchingPrecedence, priorityLevelConfiguration: { name: 'p' } },
      status: {},
    }),
  );
  const made = await bytesOf(
    jsonTable(schemas, batchesOf(objects, 1), tableOf('Metadata')(), { pretty: false, turn: undefined }),
  );
  const { rows } = JSON.parse(made.toString());
  expect(rows.map((row: { object: JsonObject }) => objectAt(row.object, 'metadata')?.['name'])).toEqual([
    's2',
    's5',
    's9',
  ]);
});

test('puts the items of a v1beta1 metadata list in protobuf before its metadata', async () => {
  const one = stored({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } });
  const of = async (version: string): Promise<Buffer> => {
    const list = { version, metadata: { resourceVersion: '9' } };
    const chunks = protobufMetadataList(
      maps,
      listing(() => batchesOf([one], 1)),
      list,
      undefined,
    );
    return Buffer.from(decodeUnknown(await bytesOf(chunks)).raw);
  };
  const message = await of('v1');
  const length = 2 + (message[1] ?? 0);
  const [list, item] = [message.subarray(0, length), message.subarray(length)];
  expect([list[0], item[0]]).toEqual([0x0a, 0x12]);
  const swapped = Buffer.concat([Buffer.of(0x0a), item.subarray(1), Buffer.of(0x12), list.subarray(1)]);
  expect((await of('v1beta1')).equals(swapped)).toBe(true);
});
