import { BinaryReader } from '@bufbuild/protobuf/wire';

/** The number of cached texts, and the most bytes of one text. */
const SLOTS = 8192;
const LONGEST = 256;

/** Caches texts of earlier messages. A peer that is polled every second sends the same names each time. */
export class KnownTexts {
  readonly #texts: (string | undefined)[] = Array.from({ length: SLOTS });

  /** The text of bytes seen before. Undefined for other bytes. */
  find(bytes: Uint8Array, start: number, end: number): string | undefined {
    const text = this.#texts[slotOf(bytes, start, end)];
    if (text?.length !== end - start) return undefined;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte > 0x7f || byte !== text.charCodeAt(at - start)) return undefined;
    }
    return text;
  }

  /** Stores a text. It replaces the previous text in its slot. */
  keep(bytes: Uint8Array, start: number, end: number, text: string): void {
    this.#texts[slotOf(bytes, start, end)] = text;
  }
}

/** Reads a message and reuses the texts of earlier ones. */
export class TextReader extends BinaryReader {
  readonly #bytes: Uint8Array;
  readonly #texts: KnownTexts;

  constructor(bytes: Uint8Array, texts: KnownTexts) {
    super(bytes);
    this.#bytes = bytes;
    this.#texts = texts;
  }

  override string(strict?: boolean): string {
    const before = this.pos;
    const length = this.uint32();
    const [start, end] = [this.pos, this.pos + length];
    const isShort = length > 0 && length <= LONGEST && end <= this.len;
    const known = isShort ? this.#texts.find(this.#bytes, start, end) : undefined;
    if (known !== undefined) {
      this.pos = end;
      return known;
    }
    this.pos = before;
    const text = super.string(strict);
    if (isShort) this.#texts.keep(this.#bytes, start, end, text);
    return text;
  }
}

/** 32-bit FNV-1a. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash >>> 0) % SLOTS;
}
