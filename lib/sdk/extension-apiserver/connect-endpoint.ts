import { badRequest, methodNotAllowed, serviceUnavailable } from '#lib/machinery/errors.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { StreamLimit } from '#lib/server/endpoints/special/stream-limit.ts';
import { asksForWebSocket, handshake } from '#lib/server/endpoints/web-socket/handshake.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import { ConnectSocket } from './connect-socket.ts';
import type { AggregatedApiDeclaration, DeclaredConnect } from './declaration.ts';
import { type Asked, refuseOddNames } from './scope.ts';
import { SessionEnd, type SessionLink } from './session.ts';
import { connectsNowhere } from './subresource.ts';

/**
 * Calls the function of the API with this name to serve a session. Resolves when the function has returned. Rejects with its error, or with
 * SessionEnd if the function's process ends first.
 */
export type ApiConnector = (name: string, link: SessionLink, request: ApiRequest, of: Asked) => Promise<void>;

/** The connect settings of a request's subresource. Undefined if the request has no subresource, or one that does not connect. */
export function declaredConnect(api: AggregatedApiDeclaration, info: RequestInfo): DeclaredConnect | undefined {
  if (!info.isResourceRequest || info.subresource === '' || info.rest.length > 0) return undefined;
  const resource = api.resources.find(({ name, namespaced }) => {
    return name === info.resource && namespaced === (info.namespace !== '');
  });
  return resource?.subresources.find(({ name }) => name === info.subresource)?.connect;
}

/** Handles requests for subresources that connect. Does the handshakes and framing, so that functions receive whole messages. */
export function connectEndpoint(api: AggregatedApiDeclaration, connect: ApiConnector | undefined) {
  const limit = new StreamLimit();
  return async ({ protocols }: DeclaredConnect, { request, info, user }: RequestContext): Promise<ApiResponse> => {
    refuseOddNames(info);
    if (info.verb !== 'get') throw methodNotAllowed();
    if (connect === undefined) throw connectsNowhere(info.subresource);
    if (!asksForWebSocket(request)) throw badRequest('Upgrade request required');
    const agreed = handshake(request, { needsOrigin: false, choose: (offered) => chosen(offered, protocols) });
    if ('status' in agreed) return agreed;
    const leave = limit.enter(user.name);
    const socket = new ConnectSocket(agreed, request.signal());
    try {
      const served = connect(api.name, socket, request, { info, user });
      await Promise.race([socket.opened, served]);
      void served.then(
        () => socket.end(),
        (error: unknown) => socket.end(error),
      );
    } catch (error) {
      leave();
      throw error instanceof SessionEnd ? serviceUnavailable(error.message) : error;
    }
    return socket.answer(leave);
  };
}

/**
 * The client's first offered subprotocol that is declared. Empty if the client offers none. Throws 403 if it offers only others, as in
 * upstream's WebSockets.
 */
function chosen(offered: readonly string[], protocols: readonly string[]): string | number {
  if (offered.length === 0) return '';
  return offered.find((one) => protocols.includes(one)) ?? 403;
}
