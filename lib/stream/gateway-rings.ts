import { AtOnce } from '#lib/machinery/at-once.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Connections } from '#lib/server/channel/gateway/connections.ts';
import { encodeGatewayMessage } from '#lib/server/channel/gateway/message.ts';
import type { Posts } from '#lib/server/channel/gateway/posts.ts';
import type { NodeRing, RingSender } from './rings.ts';

export interface GatewayRingsPorts {
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'lose'>;
  readonly posts: Pick<Posts, 'post'>;
}

/** Posts at once: they share connections to the gateway, which a fleet's own would be too many of. */
const AT_ONCE = 50;
/** Milliseconds after which a connection that is not there is asked for again: the gateway knows none before its handshake is over. */
const AGAIN = 1_000;

/** Rings nodes by posts to their connections at the gateway. */
export class GatewayRings implements RingSender {
  readonly #ports: GatewayRingsPorts;
  readonly #posting = new AtOnce(AT_ONCE);

  constructor(ports: GatewayRingsPorts) {
    this.#ports = ports;
  }

  /** Takes the newest connection that stands; the record names none any more that is gone twice. Rejects where none takes the ring, or as the gateway does. */
  async ring({ to, ring }: NodeRing, signal: AbortSignal): Promise<void> {
    const text = encodeGatewayMessage({ type: 'ring', body: { ...ring } });
    if (await this.#isTaken(to.connections, text, signal)) return;
    await this.#ports.clock.sleep(AGAIN, signal);
    if (await this.#isTaken(to.connections, text, signal)) return;
    signal.throwIfAborted();
    for (const connection of to.connections) await this.#ports.connections.lose(to.node, connection);
    throw new Error(`node ${to.node} has no connection any more`);
  }

  /** Whether one of the connections takes the text. */
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
