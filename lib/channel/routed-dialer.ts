import { quote } from '#lib/machinery/go.ts';
import { TransportError } from '#lib/webhook/transport.ts';
import type { ByteStream } from './byte-stream.ts';
import type { Dialer, Target } from './dialer.ts';
import type { NodeChannels } from './node-channels.ts';

/** Dials by a node's channel where the target is reached via one, and directly elsewhere. */
export class RoutedDialer implements Dialer {
  readonly #channels: NodeChannels;
  readonly #direct: Dialer;

  constructor(channels: NodeChannels, direct: Dialer) {
    this.#channels = channels;
    this.#direct = direct;
  }

  async dial(target: Target, signal: AbortSignal): Promise<ByteStream> {
    const { via } = target;
    if (via === undefined) return this.#direct.dial(target, signal);
    const stream = this.#channels.open(via, target, signal);
    if (stream === undefined) throw new TransportError(`node ${quote(via.node)} has no channel`);
    return stream;
  }
}
