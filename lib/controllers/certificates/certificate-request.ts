import 'reflect-metadata';
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { DerError, readElement } from '#lib/server/registry/kinds/certificates/der.ts';
import { pemBlocks } from '#lib/server/registry/kinds/certificates/pem.ts';

/** The names that a certificate request contains. */
export interface RequestedNames {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dns: readonly string[];
  readonly ip: readonly string[];
  readonly email: readonly string[];
  readonly url: readonly string[];
}

/** Parses a PEM PKCS#10 request, from the same bytes that the API server validated. Throws if the text is not a valid request. */
export function readRequest(pem: string): Pkcs10CertificateRequest {
  const [block] = pemBlocks(pem);
  if (block === undefined) throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  return new Pkcs10CertificateRequest(new Uint8Array(readElement(block.bytes).whole));
}

/** The names in a request. If there are several common names, the last one counts. */
export function namesOf(request: Pkcs10CertificateRequest): RequestedNames {
  const alternative =
    request.extensions.find((one) => one instanceof SubjectAlternativeNameExtension)?.names.items ?? [];
  const of = (type: string): string[] => alternative.filter((one) => one.type === type).map(({ value }) => value);
  return {
    commonName: request.subjectName.getField('CN').at(-1) ?? '', // the last common name identifies the holder
    organizations: request.subjectName.getField('O'),
    dns: of('dns'),
    ip: of('ip'),
    email: of('email'),
    url: of('url'),
  };
}
