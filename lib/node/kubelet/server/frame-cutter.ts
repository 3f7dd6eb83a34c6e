/** The sizes of a frame, read from its first bytes. */
export interface FrameLayout {
  /** Header size in bytes. */
  readonly head: number;
  /** Payload size in bytes. */
  readonly length: number;
  /** Whether the frame is a ping, which requires a reply. Pings are short, so they are buffered until complete. */
  readonly isPing: boolean;
}

/** A part of one frame. A ping is always a single part. Other frames are split as their bytes arrive. */
export interface FramePart {
  readonly head: Uint8Array;
  readonly payload: Uint8Array;
  readonly isPing: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Splits a byte stream into parts of its frames. Buffers only an incomplete header or ping. */
export class FrameCutter {
  readonly #layoutOf: (bytes: Uint8Array) => FrameLayout | undefined;
  #begun: Uint8Array = new Uint8Array();
  #head: Uint8Array = new Uint8Array();
  /** Number of payload bytes of the current frame that have not arrived. */
  #left = 0;

  /** `layoutOf` returns undefined for an incomplete header, and throws for bytes that cannot begin a frame. */
  constructor(layoutOf: (bytes: Uint8Array) => FrameLayout | undefined) {
    this.#layoutOf = layoutOf;
  }

  /** Yields the parts in these bytes. Throws the errors of `layoutOf`, and must not be called again after that. */
  *cut(chunk: Uint8Array): Generator<FramePart, void, void> {
    let bytes: Uint8Array = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    while (bytes.length > 0) {
      const layout = this.#left === 0 ? this.#layoutOf(bytes) : undefined;
      if (this.#left === 0 && (layout === undefined || isIncompletePing(layout, bytes))) break;
      if (layout !== undefined) {
        this.#head = Uint8Array.from(bytes.subarray(0, layout.head));
        this.#left = layout.length;
        bytes = bytes.subarray(layout.head);
      }
      const payload = bytes.subarray(0, this.#left);
      this.#left -= payload.length;
      bytes = bytes.subarray(payload.length);
      yield {
        head: this.#head,
        payload,
        isPing: layout?.isPing === true,
        isFirst: layout !== undefined,
        isLast: this.#left === 0,
      };
    }
    this.#begun = Uint8Array.from(bytes);
  }
}

const isIncompletePing = ({ head, length, isPing }: FrameLayout, { length: have }: Uint8Array): boolean =>
  isPing && have < head + length;
