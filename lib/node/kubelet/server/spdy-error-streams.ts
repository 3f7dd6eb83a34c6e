import type { FramePart } from './frame-cutter.ts';
import { HeaderReader } from './spdy-headers.ts';

/** The maximum size in bytes of a SYN_STREAM frame. A larger frame disables the tracking of error streams. */
const MAX_SYN = 64 * 1024;
/** The maximum number of open error streams to track. A port-forward has one for each connection. */
const MAX_OPEN = 1000;
/** Number of bytes before the headers of a SYN_STREAM frame: stream ID, associated stream ID, priority and slot (SPDY/3.1, 2.6.1). */
const SYN_FIELDS = 10;

/** A part of a SPDY frame with the fields that affect streams. */
interface SpdyPart extends FramePart {
  readonly kind: 'syn' | 'reset' | 'data' | 'other';
  /** Whether the frame ends its sender's half of a stream. */
  readonly isFin: boolean;
}

/** Tracks the error streams of a session that the runtime has not ended. The header `streamtype` of a client's stream identifies them. */
export class SpdyErrorStreams {
  readonly #headers = new HeaderReader();
  readonly #open = new Set<number>();
  #syn: Uint8Array | undefined = new Uint8Array();

  get open(): ReadonlySet<number> {
    return this.#open;
  }

  /** Tracks a part of a frame from the client. */
  sent(part: SpdyPart): void {
    if (part.kind === 'reset') this.#open.delete(streamOf(part.payload));
    if (part.kind !== 'syn' || this.#syn === undefined) return;
    const syn = Buffer.concat([part.isFirst ? new Uint8Array() : this.#syn, part.payload]);
    this.#syn = syn.length > MAX_SYN ? undefined : syn;
    if (part.isLast && this.#syn !== undefined) this.#opened(syn);
  }

  /** Tracks a part of a frame from the runtime. */
  received({ kind, head, payload, isFin, isLast }: SpdyPart): void {
    if (kind === 'reset') this.#open.delete(streamOf(payload));
    if (kind === 'data' && isFin && isLast) this.#open.delete(streamOf(head));
  }

  /** An unreadable header block makes later ones unreadable too. The session then continues without tracking further error streams. */
  #opened(syn: Buffer): void {
    try {
      const type = this.#headers.next(syn.subarray(SYN_FIELDS)).get('streamtype');
      if (type === 'error' && this.#open.size < MAX_OPEN) this.#open.add(streamOf(syn));
    } catch {
      this.#syn = undefined;
    }
  }
}

const streamOf = (bytes: Uint8Array): number =>
  bytes.length < 4 ? 0 : Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32BE(0) & 0x7f_ff_ff_ff;
