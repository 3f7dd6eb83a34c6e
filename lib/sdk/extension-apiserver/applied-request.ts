import { StatusError } from '#lib/machinery/errors.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { inTurns } from '#lib/machinery/steps.ts';
import { appliedSteps, reportDuplicates } from '#lib/server/endpoints/applied-body.ts';
import { APPLY } from '#lib/server/endpoints/applied-type.ts';
import { writeOptions } from '#lib/server/endpoints/options.ts';
import { type ApiRequest, withBody } from '#lib/server/request/api-request.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import { patchTypeOf } from './patch-body.ts';
import type { Asked } from './scope.ts';

/** Whether the request is a server-side apply. */
export const isApply = ({ method, headers }: Pick<ApiRequest, 'method' | 'headers'>): boolean =>
  method === 'PATCH' && patchTypeOf(headers['content-type']) === APPLY;

/**
 * Converts a server-side apply to the form that functions accept: the configuration as JSON, and whether the user may create the object.
 * Functions contain no YAML parser. Throws 400, 413, 422.
 */
export async function appliedRequest({
  request,
  info,
  user,
  mayCreate,
  warn,
}: Pick<RequestContext, 'request' | 'info' | 'user' | 'mayCreate' | 'warn'>): Promise<readonly [ApiRequest, Asked]> {
  const { fieldValidation } = writeOptions(request.query, 'PatchOptions', APPLY);
  const { value, duplicates } = await inTurns(appliedSteps(await request.body()), request.turn);
  reportDuplicates(duplicates, fieldValidation, warn);
  const body = Buffer.from(encodeJson(value));
  return [withBody(request, async () => body), { info, user, mayCreate: await allows(mayCreate) }];
}

async function allows(check: RequestContext['mayCreate']): Promise<boolean> {
  try {
    await check?.();
    return true;
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'Forbidden') return false;
    throw error;
  }
}
