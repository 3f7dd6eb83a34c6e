import type { Relay } from '#lib/server/channel/gateway/relay.ts';
import type { GatewayEvent } from './event.ts';

/** The response of the relay's function, which is the status of a handshake. The gateway ignores everything else. */
export interface GatewayAnswer {
  readonly statusCode: number;
}

/** Accepts a connection (`$connect`), forwards a message (`$default`), or removes a connection (`$disconnect`). */
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
