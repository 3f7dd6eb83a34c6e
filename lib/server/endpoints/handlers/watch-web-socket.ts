import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApiResponse } from '../api.ts';
import type { WatchEncoder } from '../serialize/watch-event.ts';
import { frame, OPCODE } from '../web-socket/frame.ts';
import { asksForWebSocket, type HandshakeRules, handshake } from '../web-socket/handshake.ts';
import { WebSocketSession } from '../web-socket/session.ts';
import type { StreamingResponse } from './watch-bounds.ts';

/** Like upstream, a watch accepts the only subprotocol that the client offers, whatever it is. */
const RULES: HandshakeRules = {
  needsOrigin: true,
  choose: (offered) => (offered.length > 1 ? 400 : (offered[0] ?? '')),
};

/**
 * The response of a front door without WebSockets. A client that waits for a WebSocket would not read a stream, which would stay open
 * unused. If a watch ends at once, fabric8 treats it as "not supported here" and retries without a WebSocket. It does the same after an
 * error only if the error is a 503.
 */
const NO_WEB_SOCKET: ApiResponse = { status: 200, headers: { 'content-type': 'application/json' }, body: '' };

/** Opens a watch, via a WebSocket if the client requests one. */
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

/** The number of bytes of the length prefix of a protobuf event. A message has its own length. */
const LENGTH = 4;

/** Encodes each event as a message: JSON as text, protobuf as binary. */
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
