import { StatusError } from '#lib/machinery/errors.ts';
import { statusOf } from '#lib/machinery/status.ts';
import { statusError } from '#lib/registry/storage-status.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { ApiRequest, ApiResponse } from './api.ts';
import { isPretty, MEDIA_TYPES, parseAccept, type MediaType } from './negotiate.ts';
import { encode } from './serialize/encode.ts';

/** A refusal as the client reads it: a Status in the first form that it accepts, JSON otherwise. */
export function statusResponse(error: StatusError, request: Pick<ApiRequest, 'headers' | 'query'>): ApiResponse {
  const mediaType = errorMediaType(request.headers['accept']);
  const headers: Record<string, string> = { 'content-type': mediaType };
  const retryAfter = error.details?.retryAfterSeconds;
  if (retryAfter !== undefined && retryAfter > 0) headers['retry-after'] = String(retryAfter);
  return { status: error.code, headers, body: encode(statusOf(error), { mediaType, pretty: isPretty(request) }) };
}

function errorMediaType(accept: string | undefined): MediaType {
  const types = accept === undefined ? [] : parseAccept(accept).map(({ type }) => type);
  return MEDIA_TYPES.find((known) => types[0] === known) ?? 'application/json';
}

/** Whatever was thrown, as a StatusError; an unknown fault tells the client nothing but where to ask. */
export function asStatusError(error: unknown, auditId: string): StatusError {
  if (error instanceof StatusError) return error;
  if (error instanceof StoreError) return statusError(error);
  return new StatusError('InternalError', `Internal error occurred: audit-ID ${auditId}`, { causes: [] });
}
