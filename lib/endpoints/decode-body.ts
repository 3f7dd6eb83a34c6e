import { decodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import { badRequest, StatusError, unsupportedMediaType } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, stringAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion, parseApiVersion } from '#lib/machinery/schema.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import type { ObjectScheme } from '#lib/registry/resource.ts';
import { MEDIA_TYPES } from './negotiate.ts';
import type { FieldValidation } from './options.ts';

/** Where upstream's scheme is declared, as its messages say. */
const SCHEME_NAME = 'pkg/api/legacyscheme/scheme.go:30';

export interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

interface Parsed {
  readonly value: Json;
  readonly duplicates: readonly string[];
}

/**
 * A request's body as an object of `scheme`'s kind, defaults filled in. Throws 400 or 415 with upstream's texts;
 * unknown and duplicate fields are errors, warnings or nothing, as `fieldValidation` says.
 */
export function decodeBody(
  body: Body,
  scheme: ObjectScheme,
  fieldValidation: FieldValidation,
  warn: (text: string) => void,
): JsonObject {
  const { value, duplicates } = parseBody(body, scheme);
  const object = recognized(value, body.bytes, scheme);
  const decoded = guarded(object, scheme, () => scheme.decode(object));
  report([...duplicates, ...decoded.unknown], object, scheme, fieldValidation, warn);
  scheme.default(decoded.object);
  return decoded.object;
}

/** Strict decoding's findings: an error, Warning headers, or nothing. */
export function report(
  found: readonly string[],
  object: JsonObject,
  scheme: ObjectScheme,
  mode: FieldValidation,
  warn: (text: string) => void,
): void {
  if (found.length === 0 || mode === 'Ignore') return;
  if (mode === 'Strict') throw cannotBeHandled(object, scheme, `strict decoding error: ${found.join(', ')}`);
  for (const text of found) warn(text);
}

function parseBody({ bytes, contentType }: Body, scheme: ObjectScheme): Parsed {
  const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (mediaType === '' || mediaType === 'application/json')
    return unrecognized(bytes, scheme, () => decodeJson(bytes), JSON_PREFIX);
  if (mediaType === 'application/yaml') return unrecognized(bytes, scheme, () => decodeYaml(bytes), '');
  if (mediaType === 'application/vnd.kubernetes.protobuf' && scheme.decodeProtobuf) return parseProtobuf(bytes, scheme);
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${MEDIA_TYPES.join(', ')}`,
  );
}

const JSON_PREFIX = "couldn't get version/kind; json parse error: ";

function parseProtobuf(bytes: Uint8Array, scheme: ObjectScheme): Parsed {
  return unrecognized(
    bytes,
    scheme,
    () => {
      const { apiVersion: version, kind, raw } = decodeUnknown(bytes);
      const object = scheme.decodeProtobuf?.(raw) ?? {};
      return {
        value: { ...object, ...(version === '' ? {} : { apiVersion: version }), ...(kind === '' ? {} : { kind }) },
        duplicates: [],
      };
    },
    '',
  );
}

function unrecognized(bytes: Uint8Array, scheme: ObjectScheme, parse: () => Parsed, prefix: string): Parsed {
  try {
    return parse();
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw notRecognized(scheme, `${prefix}${error.message}`, bytes);
  }
}

function notRecognized({ kind }: ObjectScheme, why: string, bytes: Uint8Array): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${why} (${summary(bytes)})`);
}

/** The first 30 bytes, as text where they begin an object, in hexadecimal otherwise. */
function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const head = Buffer.from(bytes.subarray(0, 30));
  const text = bytes[0] === 0x7b ? head.toString() : head.toString('hex');
  return bytes.length > 30 ? `${text} ...` : text;
}

const META_STRUCT = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** Checks apiVersion and kind; absent ones are the expected ones for built-in kinds, an error for custom ones. */
function recognized(value: Json, bytes: Uint8Array, scheme: ObjectScheme): JsonObject {
  const custom = scheme.typedItems;
  if (value === null && !custom) return {};
  if (!isObject(value)) {
    if (value === null) throw notRecognized(scheme, "Object 'Kind' is missing in 'null'", bytes);
    throw notRecognized(
      scheme,
      `${JSON_PREFIX}json: cannot unmarshal ${typeName(value)} into Go value of type ${META_STRUCT}`,
      bytes,
    );
  }
  const given = { apiVersion: stringAt(value, 'apiVersion') ?? '', kind: stringAt(value, 'kind') ?? '' };
  if (custom) checkCustom(given, bytes, scheme);
  else checkBuiltIn(given, value, scheme);
  return value;
}

function typeName(value: Json): string {
  return Array.isArray(value)
    ? 'array'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'string'
        ? 'string'
        : 'number';
}

function checkCustom(given: { apiVersion: string; kind: string }, bytes: Uint8Array, scheme: ObjectScheme): void {
  const text = Buffer.from(bytes).toString();
  if (given.kind === '') throw notRecognized(scheme, `Object 'Kind' is missing in '${text}'`, bytes);
  const expected = apiVersion(scheme.kind);
  if (given.apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${given.apiVersion}) does not match the expected API version (${expected})`,
    );
  }
}

function checkBuiltIn(given: { apiVersion: string; kind: string }, value: JsonObject, scheme: ObjectScheme): void {
  const { kind } = scheme;
  const version = given.apiVersion === '' ? apiVersion(kind) : given.apiVersion;
  const name = given.kind === '' ? kind.kind : given.kind;
  if (version === apiVersion(kind) && name === kind.kind) return;
  if (scheme.knows?.({ apiVersion: version, kind: name }) !== true) {
    throw cannotBeHandled(
      value,
      scheme,
      `no kind ${quote(name)} is registered for version ${quote(version)} in scheme ${quote(SCHEME_NAME)}`,
    );
  }
  const from = `${parseApiVersion(version)?.version ?? version}.${name}`;
  throw cannotBeHandled(
    value,
    scheme,
    `converting (${from}) to (${goPackage(kind.group)}.${kind.kind}): unknown conversion`,
  );
}

/** The Go package of a group's internal types. */
function goPackage(group: string): string {
  return group === '' ? 'core' : (group.split('.')[0] as string);
}

function guarded<T>(object: JsonObject, scheme: ObjectScheme, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw cannotBeHandled(object, scheme, error.message);
  }
}

function cannotBeHandled(object: JsonObject, { kind }: ObjectScheme, why: string): StatusError {
  const given = parseApiVersion(stringAt(object, 'apiVersion') ?? '')?.version || kind.version;
  return badRequest(
    `${stringAt(object, 'kind') || kind.kind} in version ${quote(given)} cannot be handled as a ${kind.kind}: ${why}`,
  );
}
