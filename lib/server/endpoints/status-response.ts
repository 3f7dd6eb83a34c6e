import { StatusError } from '#lib/machinery/errors.ts';
import { statusOf } from '#lib/machinery/status.ts';
import { statusError } from '#lib/server/registry/storage-status.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { ApiResponse } from './api.ts';
import { choose, isPretty, MEDIA_TYPES } from './negotiate.ts';
import { encode } from './serialize/encode.ts';

const STATUS = { mediaTypes: MEDIA_TYPES, transforms: false };

/** Returns an error as a Status in the first form that the client accepts, JSON otherwise. */
export function statusResponse(error: StatusError, request: Pick<ApiRequest, 'headers' | 'query'>): ApiResponse {
  const mediaType = choose(request, STATUS)?.mediaType ?? 'application/json';
  const headers: Record<string, string> = { 'content-type': mediaType };
  const retryAfter = error.details?.retryAfterSeconds;
  if (retryAfter !== undefined && retryAfter > 0) headers['retry-after'] = String(retryAfter);
  return { status: error.code, headers, body: encode(statusOf(error), { mediaType, pretty: isPretty(request) }) };
}

/** Converts any thrown value to a StatusError. An unknown fault reveals only the audit ID to quote to the operator. */
export function asStatusError(error: unknown, auditId: string): StatusError {
  if (error instanceof StatusError) return error;
  if (error instanceof StoreError) return statusError(error);
  return new StatusError('InternalError', `Internal error occurred: audit-ID ${auditId}`, { causes: [] });
}
