import { decodeType } from '#lib/api/codec/decode.ts';
import { DecodeError } from '#lib/api/codec/error.ts';
import { typeFacts } from '#lib/api/types.ts';
import { jsonKind } from '#lib/machinery/go-values.ts';
import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { TimeError } from '#lib/machinery/time.ts';

/** How metadata is decoded. */
export interface ObjectMetaOptions {
  /** Omits fields of a wrong type instead of failing, for objects read from storage. */
  readonly dropMalformed?: boolean;
  /** A list to which the paths of unknown fields are added, relative to the metadata. */
  readonly unknown?: string[] | undefined;
}

/**
 * Upstream's `GetObjectMeta`: the fields that Go keeps when it decodes a `metadata` value into ObjectMeta. A string result is Go's error.
 * Null is an empty ObjectMeta. A value that is not an object is an error even with `dropMalformed`.
 */
export function readObjectMeta(metadata: Json, options: ObjectMetaOptions = {}): JsonObject | string {
  if (metadata !== null && !isObject(metadata)) {
    return `json: cannot unmarshal ${jsonKind(metadata)} into Go value of type v1.ObjectMeta`;
  }
  try {
    const { object, unknown } = decodeType(typeFacts('meta.v1.ObjectMeta'), metadata ?? {});
    for (const text of unknown) options.unknown?.push(/^unknown field "(.*)"$/s.exec(text)?.[1] ?? text);
    if (object['creationTimestamp'] === null) delete object['creationTimestamp'];
    return object;
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof TimeError)) throw error;
    return options.dropMalformed === true ? readEach(metadata) : error.message;
  }
}

function readEach(metadata: Json): JsonObject {
  const out: JsonObject = {};
  if (!isObject(metadata)) return out;
  for (const name of Object.keys(metadata)) {
    const one: JsonObject = {};
    setField(one, name, metadata[name] as Json);
    const read = readObjectMeta(one);
    if (typeof read === 'object') Object.assign(out, read);
  }
  return out;
}
