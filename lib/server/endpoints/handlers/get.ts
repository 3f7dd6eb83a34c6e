import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import { get } from '#lib/server/registry/store/get.ts';
import { versionProblem } from '#lib/server/registry/store/read-at.ts';
import { isTrue } from '#lib/server/request/request-info.ts';
import type { ReadAt } from '#lib/storage/storage.ts';
import type { ApiResponse } from '../api.ts';
import { negotiatedResponse, respondObject } from '../respond.ts';
import { operation, type Scope } from '../scope.ts';

/** GET of one object. */
export async function getHandler(scope: Scope): Promise<ApiResponse> {
  const want = negotiatedResponse(scope);
  const { info, request } = scope.context;
  refuseExport(request.query.get('export'));
  const at = readAt(request.query.get('resourceVersion') ?? '');
  const stored = await get(scope.definition, operation(scope), info.name, at);
  return respondObject(scope, want, { stored });
}

function refuseExport(value: string | null): void {
  if (value === null || !isTrue(value)) return;
  throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
}

/** Upstream returns a bare 500 for a bad version here. */
function readAt(resourceVersion: string): ReadAt {
  if (resourceVersion === '') return { kind: 'fresh' };
  const problem = versionProblem(resourceVersion);
  if (problem !== undefined) throw new StatusError(undefined, problem);
  return resourceVersion === '0' ? { kind: 'any' } : { kind: 'notOlderThan', version: Number(resourceVersion) };
}
