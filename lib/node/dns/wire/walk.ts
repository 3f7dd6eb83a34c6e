/** Bytes of type, class, TTL and length, which follow the name of a record. */
const FIXED = 10;

/** A record's place in a message. */
export interface RecordPlace {
  /** The offset behind its name: type, class, TTL and length stand there. */
  readonly fixed: number;
  readonly end: number;
  /** Its name is the root: it has no label. */
  readonly isRoot: boolean;
}

/**
 * Finds the end of a name, without a copy of it. A pointer ends it (RFC 1035 4.1.4), and has to name a place before the name, so that
 * nobody who follows it runs in circles. Undefined where the bytes are none.
 */
export function endOfName(message: Uint8Array, start: number): number | undefined {
  for (let at = start; at - start < 255; ) {
    const length = message[at];
    if (length === undefined) return undefined;
    if (length === 0) return at + 1;
    if (length >= 0xc0) {
      const low = message[at + 1];
      return low === undefined || (((length & 0x3f) << 8) | low) >= start ? undefined : at + 2;
    }
    if (length > 63) return undefined;
    at += 1 + length;
  }
  return undefined;
}

/** Finds so many records from an offset on; undefined where the message has them not. */
export function recordsAt(message: Uint8Array, start: number, count: number): RecordPlace[] | undefined {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const places: RecordPlace[] = [];
  for (let at = start; places.length < count; ) {
    const fixed = endOfName(message, at);
    if (fixed === undefined || fixed + FIXED > message.length) return undefined;
    const end = fixed + FIXED + view.getUint16(fixed + 8);
    if (end > message.length) return undefined;
    places.push({ fixed, end, isRoot: message[at] === 0 });
    at = end;
  }
  return places;
}
