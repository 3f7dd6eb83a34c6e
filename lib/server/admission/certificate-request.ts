import { children, DerError, type Element, readElement } from '#lib/server/registry/kinds/certificates/der.ts';
import { pemBlocks } from '#lib/server/registry/kinds/certificates/pem.ts';

/** The object identifier of the common name, DER-encoded in hexadecimal. */
export const COMMON_NAME = '550403';
/** The object identifier of the organization. */
export const ORGANIZATION = '55040a';

/**
 * Returns the values of an attribute in the subject of a certificate request, given as base64 of PEM. The subject follows the version in
 * the request's info. Throws DerError.
 */
export function subjectValues(request: string, attribute: string): string[] {
  const [block] = pemBlocks(Buffer.from(request, 'base64').toString());
  if (block === undefined) throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  const [info] = children(readElement(block.bytes));
  const subject = info === undefined ? undefined : children(info)[1];
  if (subject === undefined) throw new DerError('asn1: structure error');
  const attributes = children(subject).flatMap(children).map(children);
  return attributes.flatMap(([type, value]) =>
    type?.content.toString('hex') === attribute ? [value === undefined ? '' : stringOf(value)] : [],
  );
}

/** Decoders by the string type of a name. The same text is equal in every type, so that a different type cannot disguise it. */
const STRINGS: Readonly<Record<number, (content: Buffer) => string>> = {
  12: (content) => content.toString(), // UTF8String
  18: (content) => content.toString('latin1'), // NumericString
  19: (content) => content.toString('latin1'), // PrintableString
  20: (content) => content.toString('latin1'), // T61String, as commonly interpreted
  22: (content) => content.toString('latin1'), // IA5String
  30: (content) =>
    Buffer.from(content)
      .subarray(0, content.length & ~1)
      .swap16()
      .toString('utf16le'), // BMPString
};

function stringOf({ tag, content }: Element): string {
  const read = Object.hasOwn(STRINGS, tag) ? STRINGS[tag] : undefined;
  if (read === undefined) throw new DerError(`asn1: structure error: a name has a value of the type ${tag}`);
  return read(content);
}
