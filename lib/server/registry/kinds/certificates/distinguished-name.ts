import { children, DerError, type Element, OBJECT_IDENTIFIER, SEQUENCE, SET, tagged } from './der.ts';

/** Validates the text types that a name may contain, by tag. Go accepts other types too, but does not decode their text. */
const TEXTS: Readonly<Record<number, (content: Buffer) => boolean>> = {
  12: (content) => Buffer.from(content.toString()).equals(content), // UTF8String
  18: (content) => /^[0-9 ]*$/.test(content.toString('latin1')), // NumericString
  19: (content) => /^[A-Za-z0-9 '()+,\-./:=?*&]*$/.test(content.toString('latin1')), // PrintableString
  22: (content) => content.every((byte) => byte < 0x80), // IA5String
  30: (content) => content.length % 2 === 0 && !hasSurrogate(content), // BMPString
};

/**
 * Throws DerError if Go cannot read the element as a name, because other parsers might read a different name than this server validates.
 */
export function checkName(name: Element): void {
  for (const attribute of children(tagged(name, SEQUENCE)).flatMap((set) => children(tagged(set, SET)))) {
    const [type, value] = children(tagged(attribute, SEQUENCE));
    checkIdentifier(tagged(type, OBJECT_IDENTIFIER));
    if (value === undefined) throw new DerError('asn1: syntax error: sequence truncated');
    const isText = Object.hasOwn(TEXTS, value.tag) ? TEXTS[value.tag] : undefined;
    if (isText?.(value.content) === false) throw new DerError('asn1: syntax error: invalid text in a name');
  }
}

/** Validates base 128 numbers: the last byte is below 128, and no number starts with a zero digit (0x80), so the encoding is unique. */
function checkIdentifier({ content }: Element): void {
  if (content.length === 0) throw new DerError('asn1: syntax error: zero length OBJECT IDENTIFIER');
  let begin = 0;
  for (const [at, byte] of content.entries()) {
    if (at === begin && byte === 0x80) throw new DerError('asn1: syntax error: integer is not minimally encoded');
    if (at - begin > 4) throw new DerError('asn1: structure error: base 128 integer too large');
    if (byte < 0x80) begin = at + 1;
  }
  if (begin < content.length) throw new DerError('asn1: syntax error: truncated base 128 integer');
}

function hasSurrogate(content: Buffer): boolean {
  for (let at = 0; at < content.length; at += 2) if (((content[at] ?? 0) & 0xf8) === 0xd8) return true;
  return false;
}
