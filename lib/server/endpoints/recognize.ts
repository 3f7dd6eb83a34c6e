import { badRequest, type StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { isObject, type Json, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion, parseApiVersion } from '#lib/machinery/schema.ts';
import { otherKind } from '#lib/server/registry/other-kind.ts';
import type { ObjectScheme } from '#lib/server/registry/resource.ts';

/** The prefix of errors about a JSON body. */
export const JSON_PREFIX = "couldn't get version/kind; json parse error: ";

/** Returns upstream's 400 for a body that is not an object of any kind. */
export function notRecognized({ kind }: ObjectScheme, why: string, bytes: Uint8Array): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${why} (${summary(bytes)})`);
}

/** Returns the first 30 bytes: as text if they begin an object, otherwise in hexadecimal. */
function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const head = Buffer.from(bytes.subarray(0, 30));
  const text = bytes[0] === 0x7b ? head.toString() : head.toString('hex');
  return bytes.length > 30 ? `${text} ...` : text;
}

const META_STRUCT = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** Checks apiVersion and kind. If they are absent, built-in kinds assume the expected ones, and custom kinds report an error. */
export function recognized(value: Json, bytes: Uint8Array, scheme: ObjectScheme): JsonObject {
  const custom = scheme.typedItems;
  if (value === null && !custom) return {};
  if (!isObject(value)) {
    if (value === null) throw notRecognized(scheme, "Object 'Kind' is missing in 'null'", bytes);
    throw notRecognized(scheme, JSON_PREFIX + noMetaStruct(value), bytes);
  }
  const given = { apiVersion: stringAt(value, 'apiVersion') ?? '', kind: stringAt(value, 'kind') ?? '' };
  if (custom) checkCustom(given, bytes, scheme);
  else checkBuiltIn(given, value, scheme);
  return value;
}

/** Returns Go's error text for a value that cannot have a kind. */
export const noMetaStruct = (value: Json): string =>
  `json: cannot unmarshal ${typeName(value)} into Go value of type ${META_STRUCT}`;

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
  // The core group is empty, so its version may have a leading slash.
  const version = given.apiVersion === '' ? apiVersion(kind) : given.apiVersion.replace(/^\/(?=[^/]+$)/, '');
  const name = given.kind === '' ? kind.kind : given.kind;
  if (version === apiVersion(kind) && name === kind.kind) return;
  throw cannotBeHandled(value, scheme, otherKind(version, name, scheme));
}

/** Returns upstream's 400 for an object that does not match the kind it declares. */
export function cannotBeHandled(object: JsonObject, { kind }: ObjectScheme, why: string): StatusError {
  const given = parseApiVersion(stringAt(object, 'apiVersion') ?? '')?.version || kind.version;
  return badRequest(
    `${stringAt(object, 'kind') || kind.kind} in version ${quote(given)} cannot be handled as a ${kind.kind}: ${why}`,
  );
}
