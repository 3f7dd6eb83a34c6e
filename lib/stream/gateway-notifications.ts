import { AtOnce } from '#lib/machinery/at-once.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Connections } from '#lib/server/channel/gateway/connections.ts';
import { encodeGatewayMessage } from '#lib/server/channel/gateway/message.ts';
import type { Posts } from '#lib/server/channel/gateway/posts.ts';
import type { NodeNotification, NotificationSender } from './notifications.ts';

export interface GatewayNotificationsPorts {
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'lose'>;
  readonly posts: Pick<Posts, 'post'>;
}

/** The number of concurrent posts. They share connections to the gateway, because one for each node of a fleet would be too many. */
const AT_ONCE = 50;
/**
 * The delay in ms before a missing connection is tried again, because the gateway accepts posts to a connection only after its handshake.
 */
const AGAIN = 1_000;

/** Notifies nodes with posts to their gateway connections. */
export class GatewayNotifications implements NotificationSender {
  readonly #ports: GatewayNotificationsPorts;
  readonly #posting = new AtOnce(AT_ONCE);

  constructor(ports: GatewayNotificationsPorts) {
    this.#ports = ports;
  }

  /**
   * Uses the newest open connection. After two failed rounds, removes the node's connections from the record. Rejects if no connection
   * accepts the ring, or with the gateway's error.
   */
  async ring({ to, ring }: NodeNotification, signal: AbortSignal): Promise<void> {
    const text = encodeGatewayMessage({ type: 'ring', body: { ...ring } });
    if (await this.#isTaken(to.connections, text, signal)) return;
    await this.#ports.clock.sleep(AGAIN, signal);
    if (await this.#isTaken(to.connections, text, signal)) return;
    signal.throwIfAborted();
    for (const connection of to.connections) await this.#ports.connections.lose(to.node, connection);
    throw new Error(`node ${to.node} has no connection any more`);
  }

  /** Whether one of the connections accepts the text. */
  async #isTaken(connections: readonly string[], text: string, signal: AbortSignal): Promise<boolean> {
    for (const connection of connections) {
      const isTaken = await this.#posting.run(async () => {
        signal.throwIfAborted();
        return this.#ports.posts.post(connection, text);
      });
      if (isTaken) return true;
    }
    return false;
  }
}
