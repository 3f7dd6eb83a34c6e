import { decodeTyped } from '#lib/api/codec/decode.ts';
import { findKind } from '#lib/api/kinds.ts';
import { badRequest, invalid, StatusError } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { apiVersion, parseApiVersion } from '#lib/machinery/schema.ts';
import { invalid as invalidField } from '#lib/machinery/validation/field.ts';
import { otherKind } from '#lib/server/registry/other-kind.ts';
import type { ObjectScheme, ResourceDefinition } from '#lib/server/registry/resource.ts';
import { complete } from '../body-bound.ts';
import type { WriteOptions } from '../options.ts';
import type { Scope } from '../scope.ts';
import { checkName } from './create.ts';
import type { Patch } from './patch-types.ts';
import { shownDocument } from './shown-document.ts';

/** The patched document, the object that it replaces, and the patch. */
export interface Patched {
  readonly document: Json;
  readonly live: JsonObject;
  readonly patch: Patch;
}

/** Decodes the patched document, which must still be an object of the kind. */
export function decodePatched(
  { definition, context }: Scope,
  { document: value, live, patch }: Patched,
  options: WriteOptions,
): JsonObject {
  const { scheme } = definition;
  if (!isObject(value)) throw badRequest('the patched document is not an object');
  if (Object.keys(value).length === 0) checkName(value, context.info.name);
  const found = unknownFields(context, options, patch, value);
  if (!definition.custom && isUnversioned(scheme, value)) {
    found(
      Object.keys(value)
        .filter((field) => !TYPE_META.has(field))
        .sort()
        .map((field) => `unknown field "${field}"`),
    );
    checkName({}, context.info.name);
  }
  refuseOtherKind(definition, value, patch);
  const refuse = (why: string): StatusError => notDecodable(patch.shown(value), why);
  const explained = (message: string): StatusError => refuse(patch.why?.(value, message) ?? message);
  return decodedOver(live, scheme, value, { refuse: explained, found });
}

const TYPE_META: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/** Upstream decodes a document without apiVersion as its internal type, which lacks the published fields. */
function isUnversioned({ kind }: ObjectScheme, value: JsonObject): boolean {
  const given = ownField(value, 'kind') ?? '';
  return (ownField(value, 'apiVersion') ?? '') === '' && (given === '' || given === kind.kind);
}

/** Rejects the document for unknown fields, or warns about them, according to the client's fieldValidation. */
export function unknownFields(
  { warn }: Scope['context'],
  { fieldValidation }: WriteOptions,
  patch: Patch,
  document: JsonObject,
): (unknown: readonly string[]) => void {
  return (unknown) => {
    const found = [...patch.duplicates, ...unknown];
    if (found.length === 0 || fieldValidation === 'Ignore') return;
    const why = `strict decoding error: ${found.join(', ')}`;
    if (fieldValidation === 'Strict') throw notDecodable(patch.shown(document), why);
    for (const text of found) warn(text);
  };
}

/** Returns the document as an object of the kind, with its defaults filled in. Throws 422 with the whole document if it does not decode. */
export function decodedAs(
  scheme: ObjectScheme,
  value: JsonObject,
  refuse: Findings['refuse'] = (why) => notDecodable(shownDocument(value, {}, false), why),
  found: Findings['found'] = () => {},
): JsonObject {
  return decodedOver(undefined, scheme, value, { refuse, found });
}

interface Findings {
  readonly refuse: (why: string) => StatusError;
  readonly found: (unknown: readonly string[]) => void;
}

function decodedOver(
  live: JsonObject | undefined,
  scheme: ObjectScheme,
  value: JsonObject,
  { refuse, found }: Findings,
): JsonObject {
  try {
    const { object, unknown } = scheme.decode(value);
    found(unknown);
    complete(scheme, object, live);
    return object;
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw refuse(error.message);
  }
}

function refuseOtherKind({ custom, scheme, resource }: ResourceDefinition, value: JsonObject, patch: Patch): void {
  // An absent kind defaults to the path's kind, as in upstream's decoder. A custom object must name its kind.
  const isAbsent = (ownField(value, 'kind') ?? '') === '';
  const kind = isAbsent && !custom ? scheme.kind.kind : (stringAt(value, 'kind') ?? '');
  if (kind === scheme.kind.kind && stringAt(value, 'apiVersion') === apiVersion(scheme.kind)) return;
  if (!custom) throw notDecodable(patch.shown(value), whyNot(value, kind, scheme));
  const name = nameOf(value);
  const error =
    kind === scheme.kind.kind
      ? invalidField('apiVersion', value['apiVersion'], `must be ${apiVersion(scheme.kind)}`)
      : invalidField('kind', kind, `must be ${scheme.kind.kind}`);
  throw invalid({ group: resource.group, kind }, name, [error]);
}

/** Upstream decodes the document as the kind that it names, and then fails to convert it. */
function whyNot(value: JsonObject, kind: string, scheme: ObjectScheme): string {
  const version = stringAt(value, 'apiVersion') ?? '';
  try {
    const given = { ...(parseApiVersion(version) ?? { group: '', version }), kind };
    if (findKind(given) !== undefined) decodeTyped(given, value);
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
  return otherKind(version, kind, scheme);
}

const notDecodable = (shown: string, why: string): StatusError =>
  invalid({ group: '', kind: '' }, '', [invalidField('patch', shown, why)]);
