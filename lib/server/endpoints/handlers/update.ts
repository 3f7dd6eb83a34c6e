import { StatusError } from '#lib/machinery/errors.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { inTurns } from '#lib/machinery/steps.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import { ensureMetadata, ensureNamespace } from '#lib/server/registry/rest/meta.ts';
import { type Transform, update } from '#lib/server/registry/store/update.ts';
import type { ApiResponse } from '../api.ts';
import { complete } from '../body-bound.ts';
import { decodedSteps } from '../decode-body.ts';
import { writeOptions } from '../options.ts';
import { negotiatedResponse, respondWritten } from '../respond.ts';
import { operation, type Scope } from '../scope.ts';
import { checkName, manage } from './create.ts';

/** PUT of an object, or of its status. */
export async function updateHandler(scope: Scope): Promise<ApiResponse> {
  const { context, definition } = scope;
  const { info, request } = context;
  const want = negotiatedResponse(scope);
  const options = writeOptions(request.query, 'UpdateOptions');
  const body = { bytes: await request.body(), contentType: request.headers['content-type'] };
  const object = await inTurns(
    decodedSteps(body, definition.scheme, options.fieldValidation, context.warn),
    request.turn,
  );
  const isComplete = completes(definition, object);
  context.audit?.requestObject(object);
  checkName(object, info.name);
  ensureNamespace(ensureMetadata(object), definition.namespaced ? info.namespace : '');
  const op = operation(scope, options);
  const transform: Transform = (live) => {
    const next = clone(object);
    if (!isComplete) complete(definition.scheme, next, live);
    return inTurns(manage(definition, op, live, next), op.request.turn);
  };
  const name = info.name;
  const written = await update(definition, op, { name, transform, forceCreate: false, checksUid: true });
  return respondWritten(scope, want, written);
}

/** Fills in the defaults of an object. Returns false if it exceeds a size limit, which depends on the replaced object. */
function completes({ scheme }: ResourceDefinition, object: JsonObject): boolean {
  try {
    complete(scheme, object);
    return true;
  } catch (error) {
    if (error instanceof StatusError && error.code === 413) return false;
    throw error;
  }
}
