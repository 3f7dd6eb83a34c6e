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

/**
 * The maximum size in bytes of the messages that are kept for sending while their length is counted. Larger lists are encoded a second
 * time.
 */
const KEPT = 16 * 1024 * 1024;

/** The objects of a list in batches. `again` reads the same objects again. */
export interface Listing {
  readonly batches: Batches;
  again(): Promise<Batches>;
  /** Counts the bytes of a response, in any order, before its first byte is sent. Throws if it is too long. */
  measure?(chunks: Chunks): Promise<void>;
}

/**
 * Returns a list as Kubernetes protobuf, spliced from the objects' messages. In every list metadata is field 1 and items are field 2. The
 * envelope begins with its length, so a large list is read twice.
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

/** Returns a PartialObjectMetadataList as Kubernetes protobuf, in the same way. In `v1beta1`, items are field 1 and metadata is field 2. */
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
  /** Whether items are field 1 and metadata field 2, instead of the reverse. */
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
