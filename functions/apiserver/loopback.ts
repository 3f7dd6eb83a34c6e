import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { Late } from '#lib/machinery/late.ts';
import { newUid } from '#lib/machinery/random.ts';
import { APISERVER_USER, SYSTEM_MASTERS, type User } from '#lib/server/authentication/user.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';

/** The user of this program's own controllers: upstream's loopback client. */
export const LOOPBACK: User = { name: APISERVER_USER, groups: [SYSTEM_MASTERS] };

/** How parts of the server send requests to the server itself. */
export interface Loopback {
  /** The bearer token of LOOPBACK, which only this process has. */
  readonly token: string;
  readonly client: Client;
}

/** A loopback to a handler that is created later. No request may be sent until then. */
export function loopbackTo(handler: Late<(request: ApiRequest) => Promise<ApiResponse>>): Loopback {
  const token = newUid();
  return { token, client: apiClient({ handle: (request) => handler.take()(request), token, userAgent: 'davit' }) };
}
