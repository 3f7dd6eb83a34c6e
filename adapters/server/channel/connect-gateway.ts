import { MAX_MESSAGE } from '#lib/server/channel/frame.ts';
import { NODE_HEADER, TICKET_HEADER } from '#lib/server/channel/gateway/relay.ts';
import type { ConnectText } from '#lib/server/channel/gateway/text-connection.ts';
import { openWebSocket } from './web-socket.ts';

/** Time-out in ms for a connection to open. */
const TIMEOUT = 10_000;

/** Connects to a gateway over a WebSocket with text messages. The ticket is in a header, because URLs are logged. */
export const connectGateway: ConnectText = async (url, { ticket, node, message }, signal) => {
  const headers = { [TICKET_HEADER]: `Bearer ${ticket}`, ...(node === '' ? {} : { [NODE_HEADER]: node }) };
  const web = await openWebSocket(
    url.replace(/^ws/, 'http'),
    { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]) },
    { isText: true, limit: 4 * MAX_MESSAGE, message: (bytes) => message(Buffer.from(bytes).toString()) },
  );
  return {
    send: (text) => web.send(Buffer.from(text)),
    close: () => web.close(''),
    closed: web.closed,
  };
};
