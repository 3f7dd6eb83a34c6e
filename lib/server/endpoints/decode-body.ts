import { decodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { bounded, decodeJson } from '#lib/machinery/json.ts';
import type { RepeatedFields } from '#lib/machinery/json-parser.ts';
import { type Json, type JsonObject, sortedByKey } from '#lib/machinery/json-value.ts';
import { finished, type Steps } from '#lib/machinery/steps.ts';
import { yamlSteps } from '#lib/machinery/yaml.ts';
import type { ObjectScheme } from '#lib/server/registry/resource.ts';
import { boundPaths, complete, MAX_VALUES } from './body-bound.ts';
import { unknownMediaType } from './negotiate.ts';
import type { FieldValidation } from './options.ts';
import { cannotBeHandled, JSON_PREFIX, notRecognized, recognized } from './recognize.ts';

/** A request body as sent. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

interface Parsed {
  readonly value: Json;
  readonly duplicates: readonly string[];
  readonly repeated?: RepeatedFields;
}

/**
 * Decodes a request body as an object of `scheme`'s kind, with its defaults filled in. Throws 400 or 415 with upstream's texts, and 413 for
 * too many values. `fieldValidation` makes unknown and duplicate fields errors, warnings or ignores them.
 */
export function decodeBody(
  body: Body,
  scheme: ObjectScheme,
  fieldValidation: FieldValidation,
  warn: (text: string) => void,
): JsonObject {
  return finished(bodySteps(body, scheme, fieldValidation, warn));
}

/** `decodeBody` as steps that can pause. */
export function* bodySteps(...call: Parameters<typeof decodeBody>): Steps<JsonObject> {
  const object = yield* decodedSteps(...call);
  yield;
  complete(call[1], object);
  return object;
}

/** Like `bodySteps`, but adds no defaults and does not limit the result. The first pause precedes the decoding. */
export function* decodedSteps(
  body: Body,
  scheme: ObjectScheme,
  fieldValidation: FieldValidation,
  warn: (text: string) => void,
): Steps<JsonObject> {
  yield;
  const { value, duplicates, repeated } = yield* parseBody(body, scheme);
  boundPaths(value);
  yield;
  const object = recognized(value, body.bytes, scheme);
  const decoded = guarded(object, scheme, () => scheme.decode(object, repeated));
  // The typed decoder of built-in kinds reports duplicate fields itself, in order with the unknown ones.
  const before = repeated === undefined || scheme.typedItems ? duplicates : [];
  report([...before, ...decoded.unknown], { object, scheme }, fieldValidation, warn);
  return decoded.object;
}

/** Reports the findings of strict decoding as an error, as Warning headers, or not at all. */
export function report(
  found: readonly string[],
  { object, scheme }: { readonly object: JsonObject; readonly scheme: ObjectScheme },
  mode: FieldValidation,
  warn: (text: string) => void,
): void {
  if (found.length === 0 || mode === 'Ignore') return;
  if (mode === 'Strict') throw cannotBeHandled(object, scheme, `strict decoding error: ${found.join(', ')}`);
  warnEach(found, warn);
}

const YAML_ERRORS = 'yaml: unmarshal errors:\n';

/** Adds one warning per finding. YAML findings share one text, one line each. */
export function warnEach(found: readonly string[], warn: (text: string) => void): void {
  for (const text of found) {
    if (!text.startsWith(YAML_ERRORS)) warn(text);
    else for (const line of text.slice(YAML_ERRORS.length).split('\n')) warn(line.trim());
  }
}

function* parseBody({ bytes, contentType }: Body, scheme: ObjectScheme): Steps<Parsed> {
  const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (mediaType === '' || mediaType === 'application/json')
    return yield* unrecognized(bytes, scheme, jsonSteps(bytes), JSON_PREFIX);
  if (mediaType === 'application/yaml') return yield* unrecognized(bytes, scheme, sortedYaml(bytes), '');
  if (mediaType === 'application/vnd.kubernetes.protobuf' && scheme.decodeProtobuf)
    return yield* unrecognized(bytes, scheme, protobufSteps(bytes, scheme), '');
  throw unknownMediaType();
}

function* jsonSteps(bytes: Uint8Array): Steps<Parsed> {
  yield;
  return decodeJson(bytes, { maxValues: MAX_VALUES, literals: true });
}

/** Upstream converts YAML to JSON via Go maps, so it reports unknown fields sorted by name. */
function* sortedYaml(bytes: Uint8Array): Steps<Parsed> {
  const { value, duplicates } = yield* yamlSteps(bytes, { maxValues: MAX_VALUES });
  yield;
  return { value: sortedByKey(value), duplicates };
}

function* protobufSteps(bytes: Uint8Array, scheme: ObjectScheme): Steps<Parsed> {
  const { apiVersion: version, kind, raw } = decodeUnknown(bytes);
  const decoded = scheme.decodeProtobuf?.(raw) ?? {};
  yield;
  const object = bounded(decoded, MAX_VALUES);
  return {
    value: { ...object, ...(version === '' ? {} : { apiVersion: version }), ...(kind === '' ? {} : { kind }) },
    duplicates: [],
  };
}

function* unrecognized(bytes: Uint8Array, scheme: ObjectScheme, parse: Steps<Parsed>, prefix: string): Steps<Parsed> {
  try {
    return yield* parse;
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw notRecognized(scheme, `${prefix}${error.message}`, bytes);
  }
}

function guarded<T>(object: JsonObject, scheme: ObjectScheme, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw cannotBeHandled(object, scheme, error.message);
  }
}
