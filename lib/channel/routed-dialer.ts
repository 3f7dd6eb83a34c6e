import { quote } from '#lib/machinery/go.ts';
import { TransportError } from '#lib/webhook/transport.ts';
import type { ByteStream } from './byte-stream.ts';
import type { Dialer, Target } from './dialer.ts';
import type { NodeChannels } from './node-channels.ts';

/** Dials by a node's channel where the target names a node, and directly elsewhere. */
export class RoutedDialer implements Dialer {
  readonly #channels: NodeChannels;
  readonly #direct: Dialer;

  constructor(channels: NodeChannels, direct: Dialer) {
    this.#channels = channels;
    this.#direct = direct;
  }

  async dial(target: Target, signal: AbortSignal): Promise<ByteStream> {
    const { node, host, port } = target;
    if (node === undefined) return this.#direct.dial(target, signal);
    const session = this.#channels.find(node);
    if (session === undefined) throw new TransportError(`node ${quote(node)} has no channel`);
    return session.open({ host, port }, signal);
  }
}
