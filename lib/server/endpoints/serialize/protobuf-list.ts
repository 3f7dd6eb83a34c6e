import { encodeMessage } from '#lib/api/codec/protobuf/encode.ts';
import { openEnvelope } from '#lib/api/codec/protobuf/envelope.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { Turn } from '#lib/machinery/steps.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import { type Batches, type Chunks, chunked, drain } from './chunks.ts';
import { listedMetadata } from './partial-metadata.ts';
import { protobufItem } from './view.ts';

/** Messages up to this many bytes are kept while their length is counted, to be sent; more are made a second time. */
const KEPT = 16 * 1024 * 1024;

/** The objects of a list in batches; `again` reads the same objects once more. */
export interface Listing {
  readonly batches: Batches;
  again(): Promise<Batches>;
  /** Counts the bytes of an answer, in any order, before its first one is sent. Throws where they are too many. */
  measure?(chunks: Chunks): Promise<void>;
}

/**
 * A list as Kubernetes protobuf, spliced from the objects' messages: metadata is field 1, items are field 2 of every list. Its
 * envelope begins with its length, so a large one is read twice.
 */
export function protobufList(
  definition: ResourceDefinition,
  listing: Listing,
  metadata: JsonObject,
  turn: Turn,
): Chunks {
  const names = { apiVersion: apiVersion(definition.scheme.kind), kind: definition.listKind };
  const item = (stored: StoredObject) => protobufItem(definition, stored);
  return enveloped(names, listing, (batches) => messages(batches, { metadata, item, turn }));
}

/** A PartialObjectMetadataList as Kubernetes protobuf, in the same way. `v1beta1` has items as field 1 and metadata as field 2. */
export function protobufMetadataList(
  definition: ResourceDefinition,
  listing: Listing,
  { version, metadata }: { readonly version: string; readonly metadata: JsonObject },
  turn: Turn,
): Chunks {
  const names = { apiVersion: `meta.k8s.io/${version}`, kind: 'PartialObjectMetadataList' };
  const item = (stored: StoredObject) =>
    encodeMessage('meta.k8s.io/v1', 'PartialObjectMetadata', listedMetadata(definition, stored, version));
  const itemsFirst = version === 'v1beta1';
  return enveloped(names, listing, (batches) => messages(batches, { metadata, item, itemsFirst, turn }));
}

async function* enveloped(
  names: { readonly apiVersion: string; readonly kind: string },
  { batches, again, measure = drain }: Listing,
  make: (batches: Batches) => Chunks,
): Chunks {
  const kept: Uint8Array[] = [];
  let size = 0;
  async function* counted(): Chunks {
    for await (const chunk of make(batches)) {
      size += chunk.length;
      if (size <= KEPT) kept.push(chunk);
      else kept.length = 0;
      yield chunk;
    }
    const { head, tail } = openEnvelope(names, size);
    yield head;
    yield tail;
  }
  await measure(counted());
  const { head, tail } = openEnvelope(names, size);
  yield head;
  yield* size <= KEPT ? kept : make(await again());
  yield tail;
}

/** The message of a list, without its envelope. */
interface Message {
  readonly metadata: JsonObject;
  item(stored: StoredObject): Uint8Array;
  /** Whether items are field 1 and metadata field 2, and not the other way round. */
  readonly itemsFirst?: boolean;
  readonly turn: Turn;
}

const NOTHING = new Uint8Array();

function messages(batches: Batches, { metadata, item, itemsFirst = false, turn }: Message): Chunks {
  const meta: Uint8Array[] = [];
  pushField(meta, itemsFirst ? 2 : 1, encodeMessage('meta.k8s.io/v1', 'ListMeta', metadata));
  const encoded = Buffer.concat(meta);
  return chunked(batches, {
    head: itemsFirst ? NOTHING : encoded,
    item: (parts, stored) => pushField(parts, itemsFirst ? 1 : 2, item(stored)),
    tail: () => (itemsFirst ? encoded : NOTHING),
    turn,
  });
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
