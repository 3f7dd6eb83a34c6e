import { applyPatch } from '#lib/api/patch/apply/apply-patch.ts';
import { recordUpdate } from '#lib/api/patch/apply/record-update.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { clone, isObject, type Json, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { finished } from '#lib/machinery/steps.ts';
import type { OperationContext } from '#lib/server/registry/rest/context.ts';
import { SCALE } from '#lib/server/registry/scale-scheme.ts';
import { decodeApplied } from '../applied-body.ts';
import { APPLY } from '../applied-type.ts';
import { MAX_VALUES } from '../body-bound.ts';
import { decodeBody } from '../decode-body.ts';
import type { WriteOptions } from '../options.ts';
import type { Scope } from '../scope.ts';
import { checkName } from './create.ts';
import { decodePatch } from './patch-types.ts';
import { decodedAs, unknownFields } from './patched-object.ts';

/** Returns the Scale that a request wants, given the current one, with managed fields recorded. */
export type NextScale = (current: JsonObject) => JsonObject;

/** PUT: the body is the new Scale. */
export function replacedScale(scope: Scope, op: OperationContext, options: WriteOptions, bytes: Uint8Array): NextScale {
  const { request, info, warn, audit } = scope.context;
  if (scope.definition.custom) refuseOtherKind(bytes);
  const body = { bytes, contentType: request.headers['content-type'] };
  const scale = decodeBody(body, SCALE, options.fieldValidation, warn);
  audit?.requestObject(scale);
  checkName(scale, info.name);
  return (current) => recorded(op, current, clone(scale));
}

/** The Scale of custom resources is decoded by a separate scheme with its own error text. */
function refuseOtherKind(bytes: Uint8Array): void {
  const value = peeked(bytes);
  const [version = '', kind = ''] = [stringAt(value, 'apiVersion'), stringAt(value, 'kind')];
  if ((version === '' || version === apiVersion(SCALE.kind)) && (kind === '' || kind === SCALE.kind.kind)) return;
  const scheme = 'k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781';
  throw badRequest(
    `no kind is registered for the type ${version.replace('/', '.')}.${kind} in scheme ${quote(scheme)}`,
  );
}

/** Returns the body if it is a JSON object. The decoder rejects any other body. */
function peeked(bytes: Uint8Array): JsonObject | undefined {
  try {
    const { value } = decodeJson(bytes, { maxValues: MAX_VALUES });
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** PATCH in any of the four patch types. */
export function patchedScale(scope: Scope, op: OperationContext, sent: SentPatch): NextScale {
  const { name } = scope.context.info;
  const next = sent.type === APPLY ? applied(op, sent.options, sent.bytes) : changed(scope, op, sent);
  return (current) => {
    const scale = next(current);
    checkName(scale, name);
    return scale;
  };
}

interface SentPatch {
  readonly options: WriteOptions;
  readonly type: string;
  readonly bytes: Uint8Array;
}

function changed({ context }: Scope, op: OperationContext, { options, type, bytes }: SentPatch): NextScale {
  const patch = decodePatch(type, bytes, SCALE);
  return (current) => {
    const document = objectOf(finished(patch.apply(clone(current))));
    return recorded(
      op,
      current,
      decodedAs(SCALE, document, undefined, unknownFields(context, options, patch, document)),
    );
  };
}

function applied(op: OperationContext, options: WriteOptions, bytes: Uint8Array): NextScale {
  const { value } = decodeApplied(bytes);
  return (live) =>
    decodedAs(
      SCALE,
      applyPatch({
        ...managing(op),
        live,
        applied: clone(value),
        force: options.force === true,
        isCreate: false,
      }),
    );
}

function objectOf(document: Json): JsonObject {
  if (!isObject(document)) throw badRequest('the patched document is not an object');
  return document;
}

function recorded(op: OperationContext, live: JsonObject, updated: JsonObject): JsonObject {
  return recordUpdate({ ...managing(op), live, updated, operation: 'Update', isCreate: false });
}

const managing = ({ fieldManager, now }: OperationContext) => ({
  manager: fieldManager,
  schema: SCALE.typed,
  apiVersion: apiVersion(SCALE.kind),
  subresource: 'scale',
  now,
});
