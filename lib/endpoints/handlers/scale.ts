import { badRequest, invalid } from '#lib/machinery/errors.ts';
import { clone, objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { invalid as invalidField } from '#lib/machinery/validation/field.ts';
import type { ResourceDefinition, ScaleMapping } from '#lib/registry/resource.ts';
import { get } from '#lib/registry/store/get.ts';
import type { Result } from '#lib/registry/store/result.ts';
import { update } from '#lib/registry/store/update.ts';
import { SCALE } from '#lib/registry/scale-scheme.ts';
import type { ApiResponse } from '../api.ts';
import { decodeBody } from '../decode-body.ts';
import { writeOptions, type WriteOptions } from '../options.ts';
import { respond } from '../respond.ts';
import { MEDIA_TYPES, negotiate } from '../negotiate.ts';
import { operation, type Scope } from '../scope.ts';
import { resultObject, servedObject } from '../serialize/view.ts';
import { checkName, manage } from './create.ts';
import { patchTypeOf } from './patch.ts';
import { decodePatch } from './patch-types.ts';

type ScaleVerb = 'get' | 'update' | 'patch';

/** GET, PUT and PATCH of `…/scale`: an autoscaling/v1 Scale mapped onto the object. */
export async function scaleHandler(scope: Scope, verb: ScaleVerb): Promise<ApiResponse> {
  const { context, definition } = scope;
  const { request, info } = context;
  const want = negotiate(request.headers['accept'], { mediaTypes: MEDIA_TYPES, transforms: false }, request.query);
  const mapping = mappingOf(definition);
  if (verb === 'get') {
    const stored = await get(definition, operation(scope), info.name);
    return respond(mapping.get(servedObject(definition, stored)), want);
  }
  const options = writeOptions(
    request.query,
    verb === 'update' ? 'UpdateOptions' : 'PatchOptions',
    request.headers['content-type'],
  );
  const bytes = await request.body();
  const next = verb === 'update' ? replaced(scope, options, bytes) : patched(scope, bytes);
  const result = await writeScale(scope, options, mapping, next);
  return respond(mapping.get(resultObject(definition, result)), want);
}

function mappingOf({ scale }: ResourceDefinition): ScaleMapping {
  if (scale === undefined) throw new TypeError('the resource has no scale');
  return scale;
}

type NextScale = (current: JsonObject) => JsonObject;

function replaced(scope: Scope, options: WriteOptions, bytes: Uint8Array): NextScale {
  const { request, info, warnings } = scope.context;
  const body = { bytes, contentType: request.headers['content-type'] };
  const scale = decodeBody(body, SCALE, options.fieldValidation, (text) => warnings.add(text));
  checkName(scale, info.name);
  return () => scale;
}

function patched(scope: Scope, bytes: Uint8Array): NextScale {
  const type = patchTypeOf(scope.context.request.headers['content-type'], scope.definition);
  const patch = decodePatch(type, bytes, SCALE);
  return (current) => {
    const { object } = SCALE.decode(patch.apply(clone(current)));
    checkName(object, scope.context.info.name);
    return object;
  };
}

async function writeScale(
  scope: Scope,
  options: WriteOptions,
  mapping: ScaleMapping,
  next: NextScale,
): Promise<Result> {
  const { definition, context } = scope;
  const op = operation(scope, options);
  const transform = (live: JsonObject | undefined): JsonObject => {
    if (live === undefined) throw badRequest('nothing to scale');
    const scale = next(mapping.get(live));
    checkReplicas(scale);
    const scaled = mapping.put(clone(live), scale);
    const version = stringAt(objectAt(scale, 'metadata'), 'resourceVersion');
    const metadata = objectAt(scaled, 'metadata');
    if (metadata !== undefined && version !== undefined) metadata['resourceVersion'] = version;
    return manage(definition, op, live, scaled);
  };
  const written = await update(definition, op, { name: context.info.name, transform, forceCreate: false });
  return written.result;
}

function checkReplicas(scale: JsonObject): void {
  const replicas = ownField(objectAt(scale, 'spec'), 'replicas') ?? 0;
  if (typeof replicas === 'number' && replicas < 0) {
    const name = stringAt(objectAt(scale, 'metadata'), 'name') ?? '';
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      invalidField('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
}
