/** The size in bytes of type, class, TTL and length, which follow the name of a record. */
const FIXED = 10;

/** The position of a record in a message. */
export interface RecordPlace {
  /** The offset after its name, at which type, class, TTL and length begin. */
  readonly fixed: number;
  readonly end: number;
  /** Whether its name is the root, which has no label. */
  readonly isRoot: boolean;
}

/**
 * Finds the end of a name without copying it. A pointer ends it (RFC 1035 4.1.4) and has to refer to a position before the name, so that
 * following it cannot loop. Undefined if the bytes are not a name.
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

/** Finds this number of records starting at an offset. Undefined if the message does not contain them. */
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
