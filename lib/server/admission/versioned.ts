import { DecodeError } from '#lib/api/codec/error.ts';
import { settleTyped } from '#lib/api/codec/settle.ts';
import { findKind } from '#lib/api/kinds.ts';
import { internalError, StatusError, unclassified } from '#lib/machinery/errors.ts';
import { clone, isObject, type JsonObject, setField, stringAt } from '#lib/machinery/json-value.ts';
import { QuantityError } from '#lib/machinery/resource/quantity.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { type MaybePromise, soon } from '#lib/machinery/soon.ts';
import { TimeError } from '#lib/machinery/time.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import { awaitingConversions } from '#lib/server/registry/conversion-pending.ts';
import { otherKind } from '#lib/server/registry/other-kind.ts';
import type { ObjectScheme } from '#lib/server/registry/resource.ts';
import type { Match } from './matching/matcher.ts';

/** Occurs in the names of labels and annotations that are reserved for Kubernetes. */
const KUBERNETES = 'kubernetes.io/';

/** The objects of a request in one version. */
export interface VersionedObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Returns a request's objects in the matched version. The result may be shared: never change it. */
export function versionedObjects(
  { scheme, object, oldObject }: Attributes,
  match: Match,
): MaybePromise<VersionedObjects> {
  const show = (hub: JsonObject | undefined): MaybePromise<JsonObject | undefined> =>
    hub === undefined ? undefined : viewOf(scheme.fromHub(hub), scheme, match.scheme);
  return soon(show(object), (now) => soon(show(oldObject), (old) => ({ object: now, oldObject: old })));
}

function viewOf(object: JsonObject, from: ObjectScheme, to: ObjectScheme): MaybePromise<JsonObject> {
  return apiVersion(from.kind) === apiVersion(to.kind) ? object : converted(object, from, to);
}

async function converted(object: JsonObject, from: ObjectScheme, to: ObjectScheme): Promise<JsonObject> {
  const given = { object: clone(object), schema: from.typed, apiVersion: apiVersion(from.kind) };
  const made = await awaitingConversions(() => from.convert(given, apiVersion(to.kind)));
  if (made === undefined) throw new TypeError(`${from.kind.kind} is not served in ${apiVersion(to.kind)}`);
  return made.object;
}

/** Errors of the decoder, and of values parsed from strings. */
const REFUSALS = [DecodeError, QuantityError, TimeError, StatusError];

/** Converts decoding errors to a 500. */
function decoding<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof Error && REFUSALS.some((refusal) => error instanceof refusal))) throw error;
    throw internalError(error.message);
  }
}

/** A built-in object must keep its kind. A custom one is validated against its declared kind. Throws 500. */
function refuseOtherKind(scheme: ObjectScheme, value: JsonObject): void {
  if (scheme.knows === undefined) return;
  const kind = stringAt(value, 'kind') || scheme.kind.kind;
  const version = stringAt(value, 'apiVersion') || apiVersion(scheme.kind);
  if (kind === scheme.kind.kind && version === apiVersion(scheme.kind)) return;
  const why = otherKind(version, kind, scheme);
  throw scheme.knows({ apiVersion: version, kind }) ? unclassified(why) : internalError(why);
}

/**
 * Replaces the request's object with an object of the matched version: decodes it, fills in its defaults and converts it back. Throws 500
 * if it is not of the kind. If `strict`, also throws 500 for unknown fields.
 */
export function replaceObject(
  attributes: Attributes,
  match: Match,
  value: JsonObject,
  strict = false,
): MaybePromise<void> {
  const { object: hub, scheme } = attributes;
  if (hub === undefined) throw new TypeError('there is no object to change');
  refuseOtherKind(match.scheme, value);
  const { object, unknown } = decoding(() => match.scheme.decode(value));
  if (strict && unknown.length > 0) throw internalError(`strict decoding error: ${unknown.join(', ')}`);
  match.scheme.default(object);
  return soon(viewOf(object, match.scheme, scheme), (own) => put(scheme.toHub(own), hub));
}

/** Whether a request's object can be patched in place: it is of a built-in kind and needs no conversion. */
export const isPatchable = ({ object }: Attributes, shown: JsonObject, { scheme }: Match): boolean =>
  shown === object && findKind(scheme.kind) !== undefined;

/**
 * Like `replaceObject`, for a patch that was merged into the request's object itself. Decodes only the fields in the patch. `isDefaulted`
 * means that the object already had its defaults. The fields are unsorted until `putInOrder`. Throws 500.
 */
export function settlePatched({ scheme }: Match, object: JsonObject, patch: JsonObject, isDefaulted: boolean): void {
  decoding(() => settleTyped(scheme.kind, object, patch));
  if (!isDefaulted || !isOnlyNotes(patch)) scheme.default(object);
}

/** Whether a patch only adds users' labels and annotations. No kind's defaults depend on them or change them. */
function isOnlyNotes({ metadata = {}, ...more }: JsonObject): boolean {
  if (!isObject(metadata) || !Object.keys(more).every((field) => field === 'apiVersion' || field === 'kind'))
    return false;
  return Object.keys(metadata).every((field) => {
    const notes = metadata[field];
    if ((field !== 'labels' && field !== 'annotations') || !isObject(notes)) return false;
    return Object.keys(notes).every((name) => !name.includes(KUBERNETES));
  });
}

/** Restores the order of the object's fields and keys. */
export function putInOrder({ object: hub, scheme }: Attributes): void {
  if (hub !== undefined) put(scheme.decode(hub).object, hub);
}

function put(next: JsonObject, hub: JsonObject): void {
  if (next === hub) return;
  for (const field of Object.keys(hub)) delete hub[field];
  for (const [field, one] of Object.entries(next)) setField(hub, field, one);
}
