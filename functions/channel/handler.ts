import { gatewayPosts } from '#adapters/aws/apigateway/posts.ts';
import { connectTable, dynamoClient } from '#adapters/aws/dynamodb/connect.ts';
import { TableConnections } from '#adapters/aws/dynamodb/connections.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { logLine as log } from '#adapters/process/log-line.ts';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import { Relay } from '#lib/server/channel/gateway/relay.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { GatewayNotifications } from '#lib/stream/gateway-notifications.ts';
import { handedNotifications } from '#lib/stream/handed-notifications.ts';
import { answerGateway, type GatewayAnswer } from './answer.ts';
import { type Config, configOf } from './config.ts';
import { gatewayEvent } from './event.ts';
import { notifyNodes } from './notify-nodes.ts';

let opened: ReturnType<typeof partsOf> | undefined;

/** The relay of a WebSocket API, which also notifies nodes for the doorbell. Rejects if a message could not be forwarded. */
export async function handler(event: unknown): Promise<GatewayAnswer | undefined> {
  outliveErrors((error, origin) => log({ level: 'error', message: error.stack ?? error.message, origin }));
  opened ??= partsOf(configOf(process.env));
  const rings = handedNotifications(event);
  if (rings === undefined) return answerGateway(opened.relay, gatewayEvent(event));
  const { fault, ...counts } = await notifyNodes(rings, opened.rings, clock);
  if (counts.faults === 0) log({ level: 'info', message: 'rang nodes', ...counts });
  else log({ level: 'warn', message: `rings are lost: ${String(fault)}`, ...counts });
  return undefined;
}

function partsOf({ table, gateway }: Config) {
  const connections = new TableConnections(connectTable(dynamoClient({}), table), { clock, cluster: DEFAULT_CLUSTER });
  const posts = gatewayPosts({ ...gateway, now: () => clock.now() });
  return {
    relay: new Relay({ clock, connections, posts, random: Math.random }),
    rings: new GatewayNotifications({ clock, connections, posts }),
  };
}
