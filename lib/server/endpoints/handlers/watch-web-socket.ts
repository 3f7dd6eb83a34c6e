import type { ApiRequest, ApiResponse } from '../api.ts';
import type { WatchEncoder } from '../serialize/watch-event.ts';
import { frame, OPCODE } from '../web-socket/frame.ts';
import { asksForWebSocket, type HandshakeRules, handshake } from '../web-socket/handshake.ts';
import { WebSocketSession } from '../web-socket/session.ts';
import type { StreamingResponse } from './watch-bounds.ts';

/** Upstream's: a watch answers with the one subprotocol that it is offered, whatever that is. */
const RULES: HandshakeRules = {
  needsOrigin: true,
  choose: (offered) => (offered.length > 1 ? 400 : (offered[0] ?? '')),
};

/**
 * The front door has no WebSockets, and a client that waits for one would read nothing of a stream, which would be open for nobody.
 * fabric8 takes a watch that ended at once for "not here", and asks again without one, which it does of no error but 503.
 */
const NO_WEB_SOCKET: ApiResponse = { status: 200, headers: { 'content-type': 'application/json' }, body: '' };

/** Opens a watch, as a WebSocket where the client asks for one. */
export async function overWebSocket(
  request: ApiRequest,
  open: (socket: WebSocketSession | undefined) => Promise<StreamingResponse>,
): Promise<ApiResponse> {
  if (request.headers['upgrade']?.toLowerCase() !== 'websocket') return open(undefined);
  if (!asksForWebSocket(request)) return NO_WEB_SOCKET;
  const agreed = handshake(request, RULES);
  if ('status' in agreed) return agreed;
  const socket = new WebSocketSession(request, agreed);
  const { body } = await open(socket);
  return socket.answer(body);
}

/** Bytes before an event in protobuf that say its length: a message has its own. */
const LENGTH = 4;

/** Each event as a message: JSON as text, protobuf as binary. */
export function asMessages(encoder: WatchEncoder): WatchEncoder {
  const { contentType } = encoder;
  const isText = contentType === 'application/json';
  const message = (event: Uint8Array): Uint8Array =>
    isText ? frame(OPCODE.text, event) : frame(OPCODE.binary, event.subarray(LENGTH));
  return {
    contentType,
    event: (type, object) => message(encoder.event(type, object)),
    initial: (object) => message(encoder.initial(object)),
    bookmark: (version, initialEnd) => message(encoder.bookmark(version, initialEnd)),
    error: (error) => message(encoder.error(error)),
  };
}
