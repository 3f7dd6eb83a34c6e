/** The sizes of a frame, read from its first bytes. */
export interface FrameLayout {
  /** Bytes before the payload. */
  readonly head: number;
  /** Bytes of the payload. */
  readonly length: number;
  /** The frame asks for an answer. Pings are short, so they are kept until they are whole. */
  readonly isPing: boolean;
}

/** A part of one frame. A ping is always one part. Other frames are divided as their bytes arrive. */
export interface FramePart {
  readonly head: Uint8Array;
  readonly payload: Uint8Array;
  readonly isPing: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Cuts a stream of bytes into parts of its frames. Keeps an incomplete head or ping, and nothing else. */
export class FrameCutter {
  readonly #layoutOf: (bytes: Uint8Array) => FrameLayout | undefined;
  #begun: Uint8Array = new Uint8Array();
  #head: Uint8Array = new Uint8Array();
  /** Bytes of the payload of the current frame that have not arrived. */
  #left = 0;

  /** `layoutOf` returns undefined for an incomplete head, and throws for bytes that no frame begins with. */
  constructor(layoutOf: (bytes: Uint8Array) => FrameLayout | undefined) {
    this.#layoutOf = layoutOf;
  }

  /** Yields the parts in these bytes. Throws what `layoutOf` throws, after which it must not be called again. */
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
