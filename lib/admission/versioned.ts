import { DecodeError } from '#lib/api/codec/error.ts';
import { settleTyped } from '#lib/api/codec/settle.ts';
import { findKind } from '#lib/api/kinds.ts';
import { internalError, StatusError } from '#lib/machinery/errors.ts';
import { clone, setField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { awaitingConversions } from '#lib/registry/conversion-pending.ts';
import type { ObjectScheme } from '#lib/registry/resource.ts';
import type { Attributes } from './admission.ts';
import type { Match } from './matching/matcher.ts';
import { soon, type Soon } from './soon.ts';

/** The objects of a request in one version. */
export interface Versioned {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Shows a request's objects in the version that was matched. What it gives may be shared: never change it. */
export function versioned({ scheme, object, oldObject }: Attributes, match: Match): Soon<Versioned> {
  const show = (hub: JsonObject | undefined): Soon<JsonObject | undefined> =>
    hub === undefined ? undefined : shown(scheme.fromHub(hub), scheme, match.scheme);
  return soon(show(object), (now) => soon(show(oldObject), (old) => ({ object: now, oldObject: old })));
}

function shown(object: JsonObject, from: ObjectScheme, to: ObjectScheme): Soon<JsonObject> {
  return apiVersion(from.kind) === apiVersion(to.kind) ? object : converted(object, from, to);
}

async function converted(object: JsonObject, from: ObjectScheme, to: ObjectScheme): Promise<JsonObject> {
  const given = { object: clone(object), schema: from.typed, apiVersion: apiVersion(from.kind) };
  const made = await awaitingConversions(() => from.convert(given, apiVersion(to.kind)));
  if (made === undefined) throw new TypeError(`${from.kind.kind} is not served in ${apiVersion(to.kind)}`);
  return made.object;
}

/** What decoding throws becomes a 500. */
function decoding<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError) && !(error instanceof StatusError)) throw error;
    throw internalError(error.message);
  }
}

/**
 * Puts an object of the matched version in the place of the request's: decoded, defaults filled in, converted back. Throws
 * 500 for what is not of the kind, and where `strict` for fields that it has not.
 */
export function replaceObject(attributes: Attributes, match: Match, value: JsonObject, strict = false): Soon<void> {
  const { object: hub, scheme } = attributes;
  if (hub === undefined) throw new TypeError('there is no object to change');
  const { object, unknown } = decoding(() => match.scheme.decode(value));
  if (strict && unknown.length > 0) throw internalError(`strict decoding error: ${unknown.join(', ')}`);
  match.scheme.default(object);
  return soon(shown(object, match.scheme, scheme), (own) => put(scheme.toHub(own), hub));
}

/** What a patch makes of the object that a request was shown with. */
export interface Patched {
  readonly live: JsonObject;
  readonly patch: JsonObject;
  /** It shares with `live` what the patch does not name. */
  readonly merged: JsonObject;
}

/**
 * As `replaceObject`, of what a patch was merged into. Of a built-in kind, where no conversion comes between, only what changed
 * is looked at, and the object is out of order until `putInOrder`. Throws 500.
 */
export function replacePatched(attributes: Attributes, match: Match, { live, patch, merged }: Patched): Soon<void> {
  const { object: hub } = attributes;
  const { kind } = match.scheme;
  if (live !== hub || findKind(kind) === undefined) return replaceObject(attributes, match, merged);
  decoding(() => settleTyped(kind, merged, patch));
  match.scheme.default(merged);
  for (const field of Object.keys(hub)) if (!Object.hasOwn(merged, field)) delete hub[field];
  for (const field of Object.keys(merged)) setField(hub, field, merged[field] as Json);
}

/** Gives the object's fields and keys their order back. */
export function putInOrder({ object: hub, scheme }: Attributes): void {
  if (hub !== undefined) put(scheme.decode(hub).object, hub);
}

function put(next: JsonObject, hub: JsonObject): void {
  if (next === hub) return;
  for (const field of Object.keys(hub)) delete hub[field];
  for (const [field, one] of Object.entries(next)) setField(hub, field, one);
}
