import { children, readElement, DerError } from '#lib/registry/kinds/certificates/der.ts';
import { pemBlocks } from '#lib/registry/kinds/certificates/pem.ts';

/** Object identifiers of a name's attributes, as DER has them: 2.5.4.3 and 2.5.4.10. */
export const COMMON_NAME = '550403';
export const ORGANIZATION = '55040a';

/**
 * The values of an attribute in the subject of a certificate request, given as base64 of PEM: the subject stands behind the
 * version in the request's info. Throws DerError.
 */
export function subjectValues(request: string, attribute: string): string[] {
  const [block] = pemBlocks(Buffer.from(request, 'base64').toString());
  if (block === undefined) throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  const [info] = children(readElement(block.bytes));
  const subject = info === undefined ? undefined : children(info)[1];
  if (subject === undefined) throw new DerError('asn1: structure error');
  const attributes = children(subject).flatMap(children).map(children);
  return attributes.flatMap(([type, value]) =>
    type?.content.toString('hex') === attribute ? [value?.content.toString() ?? ''] : [],
  );
}
