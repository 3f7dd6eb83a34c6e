import { defined } from '#lib/machinery/defined.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { MAX_MESSAGE } from '../frame.ts';
import { MAX_ROUTE } from './route.ts';

/** A message of the gateway, which transports only text and reports failures in its own JSON. Each message is self-contained. */
export type GatewayMessage =
  /** The first message of a connection. Also checks whether the gateway still receives the connection's messages. */
  | { readonly type: 'join' }
  /** The relay's answer, with the connection's id. */
  | { readonly type: 'joined'; readonly connection: string }
  /** Notifies the node of a relevant change. */
  | { readonly type: 'ring'; readonly body: Json }
  /** The connection is closed. */
  | { readonly type: 'close'; readonly reason: string }
  /** The target connection of a message is closed. */
  | { readonly type: 'gone'; readonly connection: string }
  /**
   * A message of a session. A server posts it with the route for the receiver's answer. Any other sender sends it with its own route. A
   * user's client also sends `answer`, the route for the receiver's answer. An empty message requests another connection.
   */
  | { readonly type: 'routed'; readonly route: string; readonly answer?: string; readonly payload: Uint8Array };

const JOIN = 'join';
const JOINED = 'joined ';
const RING = 'ring ';
const CLOSE = 'close ';
const GONE = 'gone ';
/** The maximum nesting depth of a notification's body. */
const MAX_DEPTH = 32;
const ROUTED = /^([\w-]+\.[\w-]+) (?:([\w-]+\.[\w-]+) )?([\w+/]*={0,2})$/;
/** Matches ids of connections as API Gateway generates them. */
const CONNECTION = /^[\w+/=-]{1,64}$/;

/** Encodes the message as text of at most 32 KB. Throws RangeError if it is longer. */
export function encodeGatewayMessage(message: GatewayMessage): string {
  const text = textOf(message);
  if (text.length > MAX_MESSAGE) throw new RangeError(`a message of ${text.length} characters is too long`);
  return text;
}

function textOf(message: GatewayMessage): string {
  switch (message.type) {
    case 'join':
      return JOIN;
    case 'joined':
      return `${JOINED}${message.connection}`;
    case 'ring':
      return `${RING}${Buffer.from(encodeJson(message.body)).toString()}`;
    case 'close':
      return `${CLOSE}${message.reason}`;
    case 'gone':
      return `${GONE}${message.connection}`;
    case 'routed': {
      const answer = message.answer === undefined ? '' : `${message.answer} `;
      return `${message.route} ${answer}${Buffer.from(message.payload).toString('base64')}`;
    }
  }
}

/** Decodes a message. Undefined if the text is not one, such as an error report of the gateway itself. */
export function decodeGatewayMessage(text: string): GatewayMessage | undefined {
  if (text.length > MAX_MESSAGE) return undefined;
  if (text === JOIN) return { type: 'join' };
  if (text.startsWith(CLOSE)) return { type: 'close', reason: text.slice(CLOSE.length) };
  if (text.startsWith(RING)) return ringOf(text.slice(RING.length));
  if (text.startsWith(JOINED)) {
    const connection = text.slice(JOINED.length);
    return CONNECTION.test(connection) ? { type: 'joined', connection } : undefined;
  }
  if (text.startsWith(GONE)) {
    const connection = text.slice(GONE.length);
    return CONNECTION.test(connection) ? { type: 'gone', connection } : undefined;
  }
  const [, route, answer, payload] = ROUTED.exec(text) ?? [];
  if (route === undefined || payload === undefined || Math.max(route.length, answer?.length ?? 0) > MAX_ROUTE)
    return undefined;
  return { type: 'routed', route, ...defined({ answer }), payload: Buffer.from(payload, 'base64') };
}

function ringOf(text: string): GatewayMessage | undefined {
  try {
    return { type: 'ring', body: decodeJson(Buffer.from(text), { maxDepth: MAX_DEPTH }).value };
  } catch {
    return undefined; // a notification may be lost
  }
}
