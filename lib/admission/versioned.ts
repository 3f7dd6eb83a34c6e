import { DecodeError } from '#lib/api/codec/error.ts';
import { internalError, StatusError } from '#lib/machinery/errors.ts';
import { clone, setField, type JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { awaitingConversions } from '#lib/registry/conversion-pending.ts';
import type { Decoded, ObjectScheme } from '#lib/registry/resource.ts';
import type { Attributes } from './admission.ts';
import type { Match } from './matching/matcher.ts';

/** The objects of a request in one version. */
export interface Versioned {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Shows a request's objects in the version that was matched. What it gives may be shared: never change it. */
export async function versioned({ scheme, object, oldObject }: Attributes, match: Match): Promise<Versioned> {
  const show = (hub: JsonObject | undefined): Promise<JsonObject | undefined> =>
    hub === undefined ? Promise.resolve(undefined) : shown(scheme.fromHub(hub), scheme, match.scheme);
  return { object: await show(object), oldObject: await show(oldObject) };
}

async function shown(object: JsonObject, from: ObjectScheme, to: ObjectScheme): Promise<JsonObject> {
  const target = apiVersion(to.kind);
  if (apiVersion(from.kind) === target) return object;
  const given = { object: clone(object), schema: from.typed, apiVersion: apiVersion(from.kind) };
  const converted = await awaitingConversions(() => from.convert(given, target));
  if (converted === undefined) throw new TypeError(`${from.kind.kind} is not served in ${target}`);
  return converted.object;
}

function decoded(scheme: ObjectScheme, value: JsonObject, live: JsonObject | undefined): Decoded {
  try {
    return scheme.decode(value, undefined, live);
  } catch (error) {
    if (!(error instanceof DecodeError) && !(error instanceof StatusError)) throw error;
    throw internalError(error.message);
  }
}

export interface Replacing {
  readonly strict?: boolean;
  /** What was shown and has gone into the new object in parts that nobody changed. */
  readonly live?: JsonObject;
}

/**
 * Puts an object of the matched version in the place of the request's: decoded, defaults filled in, converted back. Throws
 * 500 for what is not of the kind, and where `strict` for fields that it has not.
 */
export async function replaceObject(
  attributes: Attributes,
  match: Match,
  value: JsonObject,
  { strict = false, live }: Replacing = {},
): Promise<void> {
  const { object: hub, scheme } = attributes;
  if (hub === undefined) throw new TypeError('there is no object to change');
  const { object, unknown } = decoded(match.scheme, value, live);
  if (strict && unknown.length > 0) throw internalError(`strict decoding error: ${unknown.join(', ')}`);
  match.scheme.default(object);
  const next = scheme.toHub(await shown(object, match.scheme, scheme));
  if (next === hub) return;
  for (const field of Object.keys(hub)) delete hub[field];
  for (const [field, one] of Object.entries(next)) setField(hub, field, one);
}
