import { quote } from '#lib/machinery/go.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import type { ByteStream } from './byte-stream.ts';
import type { Channels } from './channels.ts';
import type { Dialer, Target } from './dialer.ts';

/** Dials only through the channels of nodes. */
export class ChannelDialer implements Dialer {
  readonly #channels: Pick<Channels, 'open'>;

  constructor(channels: Pick<Channels, 'open'>) {
    this.#channels = channels;
  }

  async dial(target: Target, signal: AbortSignal): Promise<ByteStream> {
    const { via } = target;
    if (via === undefined) throw new TransportError(`no route to ${target.host}`);
    const stream = this.#channels.open(via, target, signal);
    if (stream === undefined) throw new TransportError(`node ${quote(via.node)} has no channel`);
    return stream;
  }
}
