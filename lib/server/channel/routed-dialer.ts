import type { ByteStream } from './byte-stream.ts';
import { ChannelDialer } from './channel-dialer.ts';
import type { Channels } from './channels.ts';
import type { Dialer, Target } from './dialer.ts';

/** Dials through a node's channel if the target has one, otherwise directly. */
export class RoutedDialer implements Dialer {
  readonly #channels: Dialer;
  readonly #direct: Dialer;

  constructor(channels: Pick<Channels, 'open'>, direct: Dialer) {
    this.#channels = new ChannelDialer(channels);
    this.#direct = direct;
  }

  async dial(target: Target, signal: AbortSignal): Promise<ByteStream> {
    return (target.via === undefined ? this.#direct : this.#channels).dial(target, signal);
  }
}
