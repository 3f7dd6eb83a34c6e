import { encodeMessage } from '#lib/api/codec/protobuf/encode.ts';
import { openEnvelope } from '#lib/api/codec/protobuf/envelope.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import type { ObjectStream, StoredObject } from '#lib/storage/storage.ts';
import { headLength, jsonView, protobufItem } from './view.ts';

type Batches = ObjectStream['batches'];
type Chunks = AsyncGenerator<Uint8Array, void>;

/** Bytes of a chunk, at least. */
const CHUNK = 64 * 1024;
/** A body up to this many bytes is made as a whole, so that its length is told. */
const WHOLE = 1024 * 1024;
/** Messages up to this many bytes are kept while their length is counted, to be sent; more are made a second time. */
const KEPT = 16 * 1024 * 1024;

const COMMA = Buffer.from(',');
const END = Buffer.from(']}\n');
/** The brace that an item of a built-in kind loses with its kind and apiVersion, which lists do not repeat. */
const OPEN = Buffer.from('{');

/** A list as JSON, spliced from the objects' bytes while they are read. */
export async function* jsonList(definition: ResourceDefinition, batches: Batches, metadata: JsonObject): Chunks {
  const head = { kind: definition.listKind, apiVersion: apiVersion(definition.scheme.kind), metadata };
  const cut = definition.scheme.typedItems ? 0 : headLength(definition);
  let isFirst = true;
  const item = (parts: Uint8Array[], stored: StoredObject): void => {
    if (!isFirst) parts.push(COMMA);
    isFirst = false;
    const view = jsonView(definition, stored);
    if (cut > 0) parts.push(OPEN, view.subarray(cut));
    else parts.push(view);
  };
  yield* chunked(Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`), batches, item, END);
}

/**
 * A list as Kubernetes protobuf, spliced from the objects' messages: metadata is field 1, items are field 2 of every list. Its
 * envelope begins with its length, so a large one is read twice: `again` gives the same objects.
 */
export async function* protobufList(
  definition: ResourceDefinition,
  batches: Batches,
  metadata: JsonObject,
  again: () => Promise<Batches>,
): Chunks {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of messages(definition, batches, metadata)) {
    size += chunk.length;
    if (size <= KEPT) kept.push(chunk);
    else kept.length = 0;
  }
  const names = { apiVersion: apiVersion(definition.scheme.kind), kind: definition.listKind };
  const { head, tail } = openEnvelope(names, size);
  yield head;
  yield* size <= KEPT ? kept : messages(definition, await again(), metadata);
  yield tail;
}

function messages(definition: ResourceDefinition, batches: Batches, metadata: JsonObject): Chunks {
  const head: Uint8Array[] = [];
  pushField(head, 1, encodeMessage('meta.k8s.io/v1', 'ListMeta', metadata));
  const item = (parts: Uint8Array[], stored: StoredObject) => pushField(parts, 2, protobufItem(definition, stored));
  return chunked(Buffer.concat(head), batches, item, new Uint8Array());
}

/** Chunks of what each item pushes, between a head and a tail. */
async function* chunked(
  head: Uint8Array,
  batches: Batches,
  item: (parts: Uint8Array[], stored: StoredObject) => void,
  tail: Uint8Array,
): Chunks {
  let parts = [head];
  let from = 0;
  let size = 0;
  for await (const batch of batches) {
    for (const stored of batch) {
      item(parts, stored);
      for (; from < parts.length; from++) size += (parts[from] as Uint8Array).length;
      if (size < CHUNK) continue;
      yield Buffer.concat(parts, size);
      parts = [];
      from = size = 0;
    }
  }
  yield Buffer.concat([...parts, tail]);
}

/**
 * Collects a body of at most a mebibyte; a longer one becomes a stream that begins with the collected chunks. Rejects
 * with an error of the first chunks.
 */
export async function listBody(chunks: Chunks): Promise<Uint8Array | Chunks> {
  const made: Uint8Array[] = [];
  for (let size = 0; size <= WHOLE; ) {
    const { done, value } = await chunks.next();
    if (done === true) return Buffer.concat(made);
    made.push(value);
    size += value.length;
  }
  return resumed(made, chunks);
}

async function* resumed(made: readonly Uint8Array[], chunks: Chunks): Chunks {
  yield* made;
  yield* chunks;
}

function pushField(parts: Uint8Array[], field: number, message: Uint8Array): void {
  parts.push(Uint8Array.of((field << 3) | 2, ...varint(message.length)), message);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
