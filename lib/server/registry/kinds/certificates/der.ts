/** One element of a DER document: its tag, and the positions of the element and its content. */
export interface Element {
  readonly tag: number;
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** Thrown if the bytes are not the expected DER. */
export class DerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DerError';
  }
}

/** The tag of a SEQUENCE. */
export const SEQUENCE = 0x30;
/** The tag of a SET. */
export const SET = 0x31;
/** The tag of an INTEGER. */
export const INTEGER = 0x02;
/** The tag of an OBJECT IDENTIFIER. */
export const OBJECT_IDENTIFIER = 0x06;
/** The tag of a BIT STRING. */
export const BIT_STRING = 0x03;

/**
 * Reads the element at the start of `bytes`. Rejects ambiguous encodings: like in Go, lengths must be definite and minimal. Throws
 * DerError.
 */
export function readElement(bytes: Buffer): Element {
  const tag = bytes[0];
  const first = bytes[1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new DerError('asn1: syntax error');
  const extra = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || extra > 4 || bytes.length < 2 + extra) throw new DerError('asn1: syntax error');
  const length = extra === 0 ? first : bytes.readUIntBE(2, extra);
  if (extra > 0 && bytes[2] === 0) throw new DerError('asn1: structure error: superfluous leading zeros in length');
  if (extra > 0 && length < 0x80) throw new DerError('asn1: structure error: non-minimal length');
  const start = 2 + extra;
  if (bytes.length < start + length) throw new DerError('asn1: syntax error: data truncated');
  return { tag, whole: bytes.subarray(0, start + length), content: bytes.subarray(start, start + length) };
}

/** The children of a constructed element. Throws DerError. */
export function children(element: Element): Element[] {
  const found: Element[] = [];
  for (let rest = element.content; rest.length > 0; ) {
    const child = readElement(rest);
    found.push(child);
    rest = rest.subarray(child.whole.length);
  }
  return found;
}

/** Returns the element if it has this tag. Throws DerError if the tag differs or the element is absent. */
export function tagged(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw new DerError('asn1: structure error');
  return element;
}
