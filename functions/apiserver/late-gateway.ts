import type { GatewaySettings } from '#adapters/aws/apigateway/environment.ts';
import { madeOnce } from '#lib/machinery/made-once.ts';
import { ADDRESS_TYPES, type Backends } from '#lib/server/channel/backends.ts';
import type { GatewayPorts } from './gateway.ts';

/** Connections to nodes via a gateway. The first call loads the code and reads the key. */
export function lateGateway(settings: GatewaySettings, ports: GatewayPorts): Backends {
  const opened = madeOnce(async () => (await import('./gateway.ts')).openGateway(settings, ports));
  return {
    preferredAddressTypes: ADDRESS_TYPES,
    roundTripper: { send: async (request) => (await opened()).roundTripper.send(request) },
    channels: {
      find: (node) => ({ node }), // every node is reached via the gateway
      open: async (...asked) => (await opened()).channels.open(...asked),
    },
    tickets: { issue: async (...asked) => (await opened()).tickets.issue(...asked) },
    streams: {
      ticket: async (...asked) => (await opened()).streams.ticket(...asked),
      routes: async (...asked) => (await opened()).streams.routes(...asked),
    },
    interests: { keep: async (...asked) => (await opened()).interests.keep(...asked) },
  };
}
