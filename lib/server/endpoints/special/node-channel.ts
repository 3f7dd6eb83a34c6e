import { messageOfError } from '#lib/machinery/error-message.ts';
import { badRequest, forbidden, methodNotAllowed, noSuchPath, serviceUnavailable } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import { nodeNameOf } from '#lib/server/authorization/node/identity.ts';
import { MAX_MESSAGE } from '#lib/server/channel/frame.ts';
import type { TicketOffice } from '#lib/server/channel/gateway/ticket-office.ts';
import { type AgentHello, decodeAgentHello } from '#lib/server/channel/hello.ts';
import type { NodeChannels, TakeMessage } from '#lib/server/channel/node-channels.ts';
import type { ApiResponse } from '../api.ts';
import type { Handler } from '../filters/filter.ts';
import { asksForWebSocket, type HandshakeRules, handshake } from '../web-socket/handshake.ts';
import { MessageSocket } from '../web-socket/message-socket.ts';
import type { ConnectPorts } from './connect.ts';
import { checkCreateRight } from './create-right.ts';

/** The WebSocket subprotocol of channels. */
export const CHANNEL_PROTOCOL = 'channel.davit.dev';

const RULES: HandshakeRules = {
  needsOrigin: false, // agents are not browsers
  choose: (offered) => (offered.includes(CHANNEL_PROTOCOL) ? CHANNEL_PROTOCOL : 400),
};

/**
 * Serves `nodes/channel` of group node.davit.dev. An agent opens a WebSocket through which the server reaches its node. Alternatively it
 * requests a ticket to a gateway with a POST, and a 405 means that it must use the WebSocket. The caller needs the right to create. A node
 * may open only its own channel.
 */
export const nodeChannelEndpoint =
  ({ authorizer, backends }: ConnectPorts): Handler =>
  async (context) => {
    const { request, info, user, outcome } = context;
    if (info.version !== 'v1' || info.namespace !== '' || info.name === '' || info.rest.length > 0) throw noSuchPath();
    outcome.servedAs = info.subresource;
    await checkCreateRight(authorizer, context);
    const own = nodeNameOf(user);
    if (own !== undefined && own !== info.name)
      throw forbidden(info, info.name, `node ${quote(own)} has no channel but its own`);
    const { joining, tickets } = backends ?? {};
    if (request.method === 'POST' && tickets !== undefined) return ticketFor(tickets, info.name, await request.body());
    if (request.method === 'POST' && joining !== undefined) throw methodNotAllowed();
    if (joining === undefined) throw serviceUnavailable('this server carries no channels of nodes');
    if (!asksForWebSocket(request)) throw badRequest('Upgrade request required');
    const agreed = handshake(request, RULES);
    return 'status' in agreed ? agreed : opened(joining, info.name, agreed.headers, request.signal());
  };

/** The maximum nesting depth of a hello message. */
const MAX_DEPTH = 8;

async function ticketFor(tickets: TicketOffice, node: string, body: Uint8Array): Promise<ApiResponse> {
  const answer = await tickets.issue(node, helloIn(body));
  return { status: 201, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) };
}

function helloIn(body: Uint8Array): AgentHello {
  try {
    return decodeAgentHello(decodeJson(body, { maxDepth: MAX_DEPTH }).value);
  } catch (error) {
    throw badRequest(`the body is no hello of an agent: ${messageOfError(error)}`);
  }
}

function opened(
  channels: NodeChannels,
  node: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): ApiResponse {
  let take: TakeMessage = () => undefined;
  const socket = new MessageSocket({ isClient: false, limit: MAX_MESSAGE, message: (bytes) => take(bytes) });
  take = channels.connect(node, socket);
  const listener = onAbort(signal, () => socket.close('the server ends'));
  void socket.closed.then(() => {
    listener[Symbol.dispose]();
    channels.disconnect(node, socket);
  });
  return { status: 101, headers: { ...headers }, body: socket.outgoing, upgrade: socket };
}
