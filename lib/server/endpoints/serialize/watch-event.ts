import { encodeMessage, encodeWatchEvent } from '#lib/api/codec/protobuf/encode.ts';
import { encodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import type { StatusError } from '#lib/machinery/errors.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { statusOf } from '#lib/machinery/status.ts';
import { CellBudget } from '#lib/server/registry/cell-budget.ts';
import { servedObject } from '#lib/server/registry/store/encode.ts';
import type { ChangeType, Version } from '#lib/storage/sequence.ts';
import { stamp, stampedVersion } from '#lib/storage/stamp.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import type { Negotiation } from '../negotiate.ts';
import type { Scope } from '../scope.ts';
import { partialMetadata } from './partial-metadata.ts';
import { includeObject, table } from './table.ts';
import { jsonView, protobufView } from './view.ts';

/** Encodes events as the frames of one watch stream. */
export interface WatchEncoder {
  readonly contentType: string;
  event(type: ChangeType, object: StoredObject): Uint8Array;
  /** Encodes an object that existed when the watch began, as ADDED. Caches nothing for other watchers. */
  initial(object: StoredObject): Uint8Array;
  /** Encodes a bookmark. `initialEnd` marks the end of the initial events (KEP-3157). */
  bookmark(version: Version, initialEnd: boolean): Uint8Array;
  error(error: StatusError): Uint8Array;
}

/** Returns the encoder of a watch's events in the negotiated form. */
export function watchEncoder(scope: Scope, want: Negotiation): WatchEncoder {
  const protobuf = want.mediaType === 'application/vnd.kubernetes.protobuf';
  const frame = protobuf ? protobufFrame : jsonFrame;
  const named = protobuf ? namedMessage : namedJson;
  const plain = protobuf ? protobufView : jsonView;
  const shape = want.as === undefined ? undefined : transform(scope, want.as);
  const nameOf = (type: ChangeType): string => `event;${type};${want.mediaType};${scope.definition.scheme.viewName}`;
  const names = { ADDED: nameOf('ADDED'), MODIFIED: nameOf('MODIFIED'), DELETED: nameOf('DELETED') };
  const shaped = (type: ChangeType, object: StoredObject, transformed: Shape) =>
    frame(type, named(transformed(servedObject(scope.definition, object))));
  return {
    contentType: protobuf ? `${want.mediaType};stream=watch` : want.mediaType,
    event(type, stored) {
      if (shape !== undefined) return shaped(type, current(stored), shape);
      return shared(stored, names[type], () => frame(type, plain(scope.definition, current(stored))));
    },
    initial(stored) {
      return shape === undefined ? frame('ADDED', plain(scope.definition, stored)) : shaped('ADDED', stored, shape);
    },
    bookmark(version, initialEnd) {
      const object = bookmarkObject(scope, version, initialEnd);
      return frame('BOOKMARK', named(shape === undefined ? object : shape(object)));
    },
    error: (error) => frame('ERROR', named(statusOf(error))),
  };
}

/** Stamps the event's version on an object whose bytes carry another one because it left the selection. */
function current(stored: StoredObject): StoredObject {
  const { key, version, body, summary } = stored;
  if (stampedVersion(body) === version) return stored;
  return { key, version, body: stamp(body, version), summary, views: new Map() };
}

/** Returns a frame that all watchers of a change share. */
function shared({ views }: StoredObject, name: string, make: () => Uint8Array): Uint8Array {
  const known = views.get(name);
  if (known !== undefined) return known;
  const made = make();
  views.set(name, made);
  return made;
}

function jsonFrame(type: string, object: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, LINE_END]);
}
const LINE_END = Buffer.from('}\n');
const namedJson = (object: JsonObject): Uint8Array => Buffer.from(encodeJson(object));

/** Returns a big-endian length of four bytes, and a `metav1.WatchEvent` whose object has its own envelope. */
function protobufFrame(type: string, object: Uint8Array): Uint8Array {
  const message = encodeWatchEvent(type, object);
  const frame = Buffer.alloc(4 + message.length);
  frame.writeUInt32BE(message.length);
  frame.set(message, 4);
  return frame;
}

function namedMessage(object: JsonObject): Uint8Array {
  const version = stringAt(object, 'apiVersion') ?? '';
  const kind = stringAt(object, 'kind') ?? '';
  return encodeUnknown({ apiVersion: version, kind, raw: encodeMessage(version, kind, object) });
}

type Shape = (object: JsonObject) => JsonObject;

function transform(scope: Scope, as: NonNullable<Negotiation['as']>): Shape {
  if (as.kind !== 'Table') return (object) => partialMetadata(object, as.version);
  const includePolicy = includeObject(scope.context.request.query);
  const budget = new CellBudget();
  let headers = true;
  return (object) => {
    const meta = objectAt(object, 'metadata');
    const metadata = { resourceVersion: stringAt(meta, 'resourceVersion') ?? '' };
    const include =
      includePolicy === 'None' && objectAt(meta, 'annotations')?.[INITIAL_END] !== undefined
        ? 'Metadata'
        : includePolicy;
    const now = new Date(scope.clock.now());
    const made = table(scope.definition, object, { metadata, include, now, version: as.version, headers, budget });
    headers = false;
    return made;
  };
}

/** Returns an object of the kind with only a version. In a Table it also becomes a row, with empty cells. */
function bookmarkObject({ definition }: Scope, version: Version, initialEnd: boolean): JsonObject {
  const metadata: JsonObject = { resourceVersion: String(version) };
  if (initialEnd) metadata['annotations'] = { [INITIAL_END]: 'true' };
  const { kind } = definition.scheme;
  return { kind: kind.kind, apiVersion: apiVersion(kind), metadata };
}
const INITIAL_END = 'k8s.io/initial-events-end';
