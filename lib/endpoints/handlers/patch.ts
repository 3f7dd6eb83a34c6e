import { badRequest, conflict, invalid, StatusError, unsupportedMediaType } from '#lib/machinery/errors.ts';
import { clone, isObject, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { invalid as invalidField } from '#lib/machinery/validation/field.ts';
import type { OperationContext } from '#lib/registry/rest/context.ts';
import { ensureNamespace, metadataOf } from '#lib/registry/rest/meta.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import { update, type Transform } from '#lib/registry/store/update.ts';
import type { ApiResponse } from '../api.ts';
import { report } from '../decode-body.ts';
import { writeOptions, type WriteOptions } from '../options.ts';
import { negotiated, respondObject } from '../respond.ts';
import { operation, type Scope } from '../scope.ts';
import { applyTransform } from './apply.ts';
import { checkName, manage } from './create.ts';
import { decodePatch, type Patch } from './patch-types.ts';

/** PATCH of an object or its status, in all four types. */
export async function patchHandler(scope: Scope): Promise<ApiResponse> {
  const { context, definition } = scope;
  const { info, request } = context;
  const patchType = patchTypeOf(request.headers['content-type'], definition);
  const want = negotiated(scope);
  const options = writeOptions(request.query, 'PatchOptions', patchType);
  const bytes = await request.body();
  const op = operation(scope, options);
  const isApply = patchType === APPLY;
  const transform = isApply
    ? applyTransform(scope, op, options, bytes)
    : patchTransform(scope, op, options, patchType, bytes);
  const { result, created } = await update(definition, op, { name: info.name, transform, forceCreate: isApply });
  return respondObject(scope, want, result, created ? 201 : 200);
}

const APPLY = 'application/apply-patch+yaml';
const TYPES: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  APPLY,
];

/** The media type of the patch. Throws 415: in the words of the router for built-in kinds, of the handler for custom ones. */
export function patchTypeOf(contentType: string | undefined, { custom, scheme }: ResourceDefinition): string {
  const type = (contentType ?? '').split(';')[0]?.trim() ?? '';
  const accepted = TYPES.filter(
    (known) => scheme.strategic !== undefined || known !== 'application/strategic-merge-patch+json',
  );
  if (accepted.includes(type)) return type;
  if (!custom) throw new StatusError('UnsupportedMediaType', '415: Unsupported Media Type', {});
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

/** The three patches that change what is there. */
function patchTransform(
  scope: Scope,
  op: OperationContext,
  options: WriteOptions,
  patchType: string,
  bytes: Uint8Array,
): Transform {
  const { definition, context } = scope;
  let patch: Patch | undefined;
  return (live) => {
    if (live === undefined) throw new TypeError('a patch has nothing to change');
    patch ??= decodePatch(patchType, bytes, definition.scheme);
    const patched = patch.apply(clone(live));
    const object = decodePatched(scope, patched, options, patch.duplicates);
    const metadata = metadataOf(object);
    checkName(object, context.info.name);
    ensureNamespace(metadata, definition.namespaced ? context.info.namespace : '');
    refuseOtherVersion(definition, metadata, live);
    return manage(definition, op, live, object);
  };
}

/** A version in the patch is a precondition; the live one came along by itself. */
function refuseOtherVersion({ resource }: ResourceDefinition, metadata: JsonObject, live: JsonObject): void {
  const given = stringAt(metadata, 'resourceVersion') ?? '';
  const actual = stringAt(objectAt(live, 'metadata'), 'resourceVersion') ?? '';
  if (given !== '' && given !== actual) {
    throw conflict(
      resource,
      stringAt(metadata, 'name') ?? '',
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
}

/** The patched document must still be an object of the kind. */
function decodePatched(
  { definition, context }: Scope,
  patched: unknown,
  options: WriteOptions,
  duplicates: readonly string[],
): JsonObject {
  const { scheme } = definition;
  const value = patched as JsonObject;
  if (!isObject(value)) throw badRequest('the patched document is not an object');
  if (Object.keys(value).length === 0) checkName(value, context.info.name);
  refuseOtherKind(definition, value);
  try {
    const decoded = scheme.decode(value);
    report([...duplicates, ...decoded.unknown], value, scheme, options.fieldValidation, (text) =>
      context.warnings.add(text),
    );
    scheme.default(decoded.object);
    return decoded.object;
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw notDecodable(value, error.message);
  }
}

function refuseOtherKind({ custom, scheme, resource }: ResourceDefinition, value: JsonObject): void {
  const kind = stringAt(value, 'kind') ?? '';
  if (kind === scheme.kind.kind && stringAt(value, 'apiVersion') === apiVersion(scheme.kind)) return;
  if (!custom) throw notDecodable(value, `cannot patch into another kind: ${kind}`);
  const name = stringAt(objectAt(value, 'metadata'), 'name') ?? '';
  const error =
    kind === scheme.kind.kind
      ? invalidField('apiVersion', value['apiVersion'], `must be ${apiVersion(scheme.kind)}`)
      : invalidField('kind', kind, `must be ${scheme.kind.kind}`);
  throw invalid({ group: resource.group, kind }, name, [error]);
}

/** Upstream shows the whole document that could not be decoded. */
function notDecodable(value: JsonObject, why: string): StatusError {
  return invalid({ group: '', kind: '' }, '', [invalidField('patch', encodeJson(value), why)]);
}
