import { parentManagers, scaleManagers } from '#lib/api/patch/apply/scale.ts';
import { badRequest, invalid, StatusError } from '#lib/machinery/errors.ts';
import { clone, type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { invalid as invalidField } from '#lib/machinery/validation/field.ts';
import { scalePrinter } from '#lib/server/registry/printers/scale.ts';
import type { ResourceDefinition, ScaleMapping } from '#lib/server/registry/resource.ts';
import { ensureMetadata } from '#lib/server/registry/rest/meta.ts';
import { UNSET_REPLICAS } from '#lib/server/registry/scale.ts';
import { SCALE } from '#lib/server/registry/scale-scheme.ts';
import { servedObject } from '#lib/server/registry/store/encode.ts';
import { get } from '#lib/server/registry/store/get.ts';
import type { AdmittedView } from '#lib/server/registry/store/stages.ts';
import { update } from '#lib/server/registry/store/update.ts';
import type { ApiResponse } from '../api.ts';
import { APPLY } from '../applied-type.ts';
import { MEDIA_TYPES, negotiate } from '../negotiate.ts';
import { writeOptions } from '../options.ts';
import { respond, transformedResponse } from '../respond.ts';
import { operation, type Scope } from '../scope.ts';
import { resultObject } from '../serialize/view.ts';
import { patchTypeOf } from './patch-types.ts';
import { type NextScale, patchedScale, replacedScale } from './scale-body.ts';

type ScaleVerb = 'get' | 'update' | 'patch';

/** GET, PUT and PATCH of `…/scale`: an autoscaling/v1 Scale mapped onto the object. */
export async function scaleHandler(scope: Scope, verb: ScaleVerb): Promise<ApiResponse> {
  const { context, definition } = scope;
  const { request, info } = context;
  const want = negotiate(request, { mediaTypes: MEDIA_TYPES, transforms: true });
  const mapping = mappingOf(definition);
  const scaled =
    verb === 'get'
      ? servedObject(definition, await get(definition, operation(scope), info.name))
      : await write(scope, verb, mapping);
  const shown = mapping.get(scaled);
  if (want.as === undefined) return respond(shown, want);
  const { custom } = definition;
  return transformedResponse(
    { context, definition: { custom, scheme: SCALE, printer: scalePrinter(custom) } },
    want,
    shown,
  );
}

function mappingOf({ scale }: ResourceDefinition): ScaleMapping {
  if (scale === undefined) throw new TypeError('the resource has no scale');
  return scale;
}

/** Writes the Scale of the body to the object. Returns the object. */
async function write(scope: Scope, verb: 'update' | 'patch', mapping: ScaleMapping): Promise<JsonObject> {
  const { context, definition } = scope;
  const { request, info } = context;
  const type = verb === 'patch' ? patchTypeOf(request.headers['content-type'], definition) : '';
  const options = writeOptions(request.query, verb === 'update' ? 'UpdateOptions' : 'PatchOptions', type);
  const op = { ...operation(scope, options), applies: type === APPLY };
  const bytes = await request.body();
  if (verb === 'patch') context.audit?.requestPatch(bytes);
  const next =
    verb === 'update' ? replacedScale(scope, op, options, bytes) : patchedScale(scope, op, { options, type, bytes });
  const transform = (live: JsonObject | undefined): JsonObject => {
    if (live === undefined) throw badRequest('nothing to scale');
    return rescaled(definition, mapping, live, next);
  };
  const { result } = await update(definition, op, {
    name: info.name,
    transform,
    forceCreate: false,
    checksUid: verb === 'update',
    view: viewOf(mapping),
  });
  return resultObject(definition, result);
}

/** Admission sees the Scale, as upstream does. */
const viewOf = (mapping: ScaleMapping): AdmittedView => ({
  scheme: SCALE,
  show: (hub) => mapping.get(hub, 0),
  put: (hub, scale) => mapping.put(hub, scale),
});

/** Returns the object with the replicas and field owners of its new Scale (upstream's ScaleHandler). */
function rescaled(
  { scheme, custom, replicasPaths = new Map() }: ResourceDefinition,
  mapping: ScaleMapping,
  live: JsonObject,
  next: NextScale,
): JsonObject {
  const before = mapping.get(live, UNSET_REPLICAS);
  const managed = managedFieldsOf(live);
  const owners = readable(scaleManagers(managed, replicasPaths));
  if (owners.length > 0) ensureMetadata(before)['managedFields'] = owners;
  const scale = next(before);
  const scaled = mapping.put(clone(live), scale);
  if (!custom) checkReplicas(scale);
  const metadata = ensureMetadata(scaled);
  const version = resourceVersionOf(scale);
  if (version !== '') metadata['resourceVersion'] = version;
  const uid = uidOf(scale);
  if (uid !== '') metadata['uid'] = uid;
  const merge = { parent: managed, scale: managedFieldsOf(scale), apiVersion: apiVersion(scheme.kind) };
  const managers = readable(parentManagers({ ...merge, replicas: replicasPaths }));
  if (managers.length > 0) metadata['managedFields'] = managers;
  else delete metadata['managedFields'];
  return scaled;
}

const managedFieldsOf = (object: JsonObject): Json | undefined =>
  ownField(objectAt(object, 'metadata'), 'managedFields');

function readable(entries: Json[] | undefined): Json[] {
  if (entries === undefined) throw new StatusError(undefined, 'managed fields of the object cannot be read');
  return entries;
}

function checkReplicas(scale: JsonObject): void {
  const replicas = ownField(objectAt(scale, 'spec'), 'replicas') ?? 0;
  if (typeof replicas !== 'number' || replicas >= 0) return;
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, nameOf(scale), [
    invalidField('spec.replicas', replicas, 'must be greater than or equal to 0'),
  ]);
}
