import type { GatewaySettings } from '#adapters/aws/apigateway/environment.ts';
import { TableConnections } from '#adapters/aws/dynamodb/connections.ts';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import type { EventInvokerOptions } from '#adapters/aws/lambda/event-invoker.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { madeOnce } from '#lib/machinery/made-once.ts';
import type { Posts } from '#lib/server/channel/gateway/posts.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { GatewayRings } from '#lib/stream/gateway-rings.ts';
import { handedOver } from '#lib/stream/handed-rings.ts';
import type { RingSender, RingsPorts } from '#lib/stream/rings.ts';

/** The ways to ring nodes of an account. */
export interface RingWays {
  readonly posts: Pick<Posts, 'post'>;
  /** Hands an event to the relay, which rings the nodes in it. Absent: the doorbell rings however many there are. */
  readonly invoke?: (event: string, signal: AbortSignal) => Promise<void>;
}

/** Rings the nodes of the table's records by posts to a gateway, and many of them by the relay. */
export function gatewayRings(table: Table, { posts, invoke }: RingWays, clock: Clock): Omit<RingsPorts, 'clock'> {
  const connections = new TableConnections(table, { clock, cluster: DEFAULT_CLUSTER });
  const rings = new GatewayRings({ clock, connections, posts });
  const ring: RingSender['ring'] = (one, signal) => rings.ring(one, signal);
  if (invoke === undefined) return { nodes: connections, sender: { ring } };
  const handOver: RingSender['handOver'] = async (all, signal) => {
    await Promise.all(Array.from(handedOver(all), (event) => invoke(event, signal)));
  };
  return { nodes: connections, sender: { ring, handOver } };
}

/** Posts to the gateway. The code that signs them is loaded with the first: few changes ring a node. */
export function latePosts(settings: GatewaySettings, clock: Clock): Pick<Posts, 'post'> {
  const opened = madeOnce(async () => {
    const { gatewayPosts } = await import('#adapters/aws/apigateway/posts.ts');
    return gatewayPosts({ ...settings, now: () => clock.now() });
  });
  return { post: async (...asked) => (await opened()).post(...asked) };
}

/** Invokes the relay. The code that signs it is loaded with the first: few batches notify enough nodes to need it. */
export const lateInvoke =
  (
    { region, credentials }: GatewaySettings,
    relay: Pick<EventInvokerOptions, 'name' | 'endpoint'>,
    clock: Clock,
  ): NonNullable<RingWays['invoke']> =>
  async (event, signal) => {
    const { eventInvoker } = await import('#adapters/aws/lambda/event-invoker.ts');
    await eventInvoker({ ...relay, region, credentials, now: () => clock.now() })(event, signal);
  };
