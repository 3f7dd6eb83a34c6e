import type { GatewaySettings } from '#adapters/aws/apigateway/environment.ts';
import { TableConnections } from '#adapters/aws/dynamodb/connections.ts';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import type { EventInvokerOptions } from '#adapters/aws/lambda/event-invoker.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { madeOnce } from '#lib/machinery/made-once.ts';
import type { Posts } from '#lib/server/channel/gateway/posts.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { GatewayNotifications } from '#lib/stream/gateway-notifications.ts';
import { handedOver } from '#lib/stream/handed-notifications.ts';
import type { NotificationSender, NotificationsPorts } from '#lib/stream/notifications.ts';

/** The ports that notify nodes of an account. */
export interface NotificationWays {
  readonly posts: Pick<Posts, 'post'>;
  /**
   * Passes an event to the relay, which notifies the nodes that the event names. If absent, the doorbell notifies any number of nodes
   * itself.
   */
  readonly invoke?: (event: string, signal: AbortSignal) => Promise<void>;
}

/** Notifies the nodes in the table's records with posts to a gateway. Uses the relay for many nodes. */
export function gatewayNotifications(
  table: Table,
  { posts, invoke }: NotificationWays,
  clock: Clock,
): Omit<NotificationsPorts, 'clock'> {
  const connections = new TableConnections(table, { clock, cluster: DEFAULT_CLUSTER });
  const rings = new GatewayNotifications({ clock, connections, posts });
  const ring: NotificationSender['ring'] = (one, signal) => rings.ring(one, signal);
  if (invoke === undefined) return { nodes: connections, sender: { ring } };
  const handOver: NotificationSender['handOver'] = async (all, signal) => {
    await Promise.all(Array.from(handedOver(all), (event) => invoke(event, signal)));
  };
  return { nodes: connections, sender: { ring, handOver } };
}

/** Posts to the gateway. The first post loads the code that signs posts, because few changes notify a node. */
export function latePosts(settings: GatewaySettings, clock: Clock): Pick<Posts, 'post'> {
  const opened = madeOnce(async () => {
    const { gatewayPosts } = await import('#adapters/aws/apigateway/posts.ts');
    return gatewayPosts({ ...settings, now: () => clock.now() });
  });
  return { post: async (...asked) => (await opened()).post(...asked) };
}

/** Invokes the relay. The first call loads the code that signs the request, because few batches notify enough nodes to need it. */
export const lateInvoke =
  (
    { region, credentials }: GatewaySettings,
    relay: Pick<EventInvokerOptions, 'name' | 'endpoint'>,
    clock: Clock,
  ): NonNullable<NotificationWays['invoke']> =>
  async (event, signal) => {
    const { eventInvoker } = await import('#adapters/aws/lambda/event-invoker.ts');
    await eventInvoker({ ...relay, region, credentials, now: () => clock.now() })(event, signal);
  };
