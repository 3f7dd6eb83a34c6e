import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { GatewaySettings } from '#adapters/aws/apigateway/environment.ts';
import { gatewayPosts } from '#adapters/aws/apigateway/posts.ts';
import { TableConnections } from '#adapters/aws/dynamodb/connections.ts';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { connectGateway } from '#adapters/server/channel/connect-gateway.ts';
import { randomId } from '#adapters/server/channel/node-channels.ts';
import { HttpRoundTripper } from '#adapters/server/kubelet/http-round-tripper.ts';
import type { SharedSecret } from '#lib/controllers/certificates/kept-signer.ts';
import { ChannelDialer } from '#lib/server/channel/channel-dialer.ts';
import { GatewayChannels } from '#lib/server/channel/gateway/gateway-channels.ts';
import { ServerTickets } from '#lib/server/channel/gateway/server-tickets.ts';
import type { StreamOffice } from '#lib/server/channel/gateway/stream-office.ts';
import { StreamTickets } from '#lib/server/channel/gateway/stream-tickets.ts';
import type { TicketOffice } from '#lib/server/channel/gateway/ticket-office.ts';
import type { InterestKeeper } from '#lib/server/channel/interests.ts';
import { LOOKS, NOTIFICATIONS } from '#lib/server/channel/notification.ts';
import type { RoundTripper } from '#lib/server/channel/round-tripper.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';

/** Time-out in ms to establish a stream. Two connections of a node are tried for 5 s each. */
const TIMEOUT = 12_000;

/** The state that all processes share: records of connections, and the signing key. */
export interface GatewayPorts {
  readonly table: Table;
  readonly secret: SharedSecret;
}

/** The parts of an API server that reach nodes via a gateway. */
export interface OpenGateway {
  readonly channels: GatewayChannels;
  readonly roundTripper: RoundTripper;
  readonly tickets: TicketOffice;
  readonly streams: StreamOffice;
  readonly interests: InterestKeeper;
}

/** Opens the gateway with the cluster's key for channels, which the first process creates. Throws StoreError. */
export async function openGateway(settings: GatewaySettings, { table, secret }: GatewayPorts): Promise<OpenGateway> {
  const key = createPrivateKey(await secret('channel', newKey));
  const connections = new TableConnections(table, { clock, cluster: DEFAULT_CLUSTER });
  const randomName = (): string => randomBytes(12).toString('base64url');
  const features = [NOTIFICATIONS, LOOKS];
  const tickets = new ServerTickets({ clock, connections, url: settings.url, key, features, randomName });
  const channels = new GatewayChannels({
    clock,
    connections,
    posts: gatewayPosts({ ...settings, now: () => clock.now() }),
    connect: connectGateway,
    tickets,
    randomId,
    randomName,
  });
  return {
    channels,
    roundTripper: new HttpRoundTripper({ dialer: new ChannelDialer(channels), caBundle: '', timeout: TIMEOUT }),
    tickets: { issue: (node, hello) => tickets.issue(node, hello, (record) => channels.answers(record)) },
    streams: new StreamTickets({ clock, connections, tickets, randomName }),
    interests: connections,
  };
}

async function newKey(): Promise<Uint8Array> {
  const { privateKey } = generateKeyPairSync('ed25519');
  return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}
