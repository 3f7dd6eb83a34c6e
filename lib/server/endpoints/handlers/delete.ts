import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { DeleteOptions } from '#lib/server/registry/rest/delete.ts';
import { deleteObject } from '#lib/server/registry/store/delete.ts';
import { discardObject } from '#lib/server/registry/store/discard.ts';
import { annotate } from '#lib/server/request/request-audit.ts';
import type { ApiResponse } from '../api.ts';
import { negotiatedResponse, respond, respondObject } from '../respond.ts';
import { operation, type Scope } from '../scope.ts';
import { deleteDocument, deleteOptions } from './delete-options.ts';

/** DELETE of one object. Returns a Status if the object is deleted, or the object if something delays its deletion. */
export async function deleteHandler(scope: Scope): Promise<ApiResponse> {
  const { context, definition } = scope;
  const { name } = context.info;
  const want = negotiatedResponse(scope);
  const options = await deleteOptions(context);
  warnOfOrphans(scope, options);
  const op = operation(scope, { dryRun: options.dryRun.length > 0, document: deleteDocument(options) });
  if (options.ignoreStoreReadError === true && (await discardObject(definition, op, name, options))) {
    annotate(context, 'apiserver.k8s.io/unsafe-delete-ignore-read-error', '');
    return respond(success({ name, kind: definition.scheme.kind.kind }), want);
  }
  const { result, deleted, uid } = await deleteObject(definition, op, name, options);
  if (!deleted || definition.returnsDeleted) return respondObject(scope, want, result, statusOf(deleted, options));
  const { group, resource } = definition.resource;
  const details: JsonObject = { name, ...(group === '' ? {} : { group }), kind: resource, uid };
  return respond(success(details), want);
}

const success = (details: JsonObject): JsonObject => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details,
});

/** Only the legacy form of background deletion reports that the deletion is not complete yet. */
const statusOf = (deleted: boolean, { orphanDependents }: DeleteOptions): number =>
  !deleted && orphanDependents === false ? 202 : 200;

/** Adds upstream's warning, even if nothing is deleted in the end. */
export function warnOfOrphans({ context, definition }: Scope, options: DeleteOptions): void {
  const { orphansWarning } = definition.strategy;
  const isExplicit = options.propagationPolicy !== undefined || options.orphanDependents !== undefined;
  if (orphansWarning !== undefined && !isExplicit) context.warn(orphansWarning);
}
