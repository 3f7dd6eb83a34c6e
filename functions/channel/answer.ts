import type { Relay } from '#lib/server/channel/gateway/relay.ts';
import type { GatewayEvent } from './event.ts';

/** The response of the relay's function: the status of a handshake. The gateway reads no other response. */
export interface GatewayAnswer {
  readonly statusCode: number;
}

/** Lets a connection in (`$connect`), passes a message on (`$default`), or forgets a connection (`$disconnect`). */
export async function answerGateway(relay: Relay, event: GatewayEvent): Promise<GatewayAnswer> {
  switch (event.type) {
    case 'CONNECT':
      return { statusCode: await relay.connect(event.connection, event.headers) };
    case 'MESSAGE':
      await relay.message(event.connection, event.text);
      return { statusCode: 200 };
    case 'DISCONNECT':
      await relay.disconnect(event.connection);
      return { statusCode: 200 };
  }
}
