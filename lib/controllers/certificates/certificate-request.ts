import 'reflect-metadata';
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509';

/** What a certificate is asked for. */
export interface RequestedNames {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dns: readonly string[];
  readonly ip: readonly string[];
  readonly email: readonly string[];
  readonly url: readonly string[];
}

/** Reads a PKCS#10 request, PEM, that the API server has checked. Throws for what is none. */
export function readRequest(pem: string): Pkcs10CertificateRequest {
  return new Pkcs10CertificateRequest(pem);
}

export function namesOf(request: Pkcs10CertificateRequest): RequestedNames {
  const alternative =
    request.extensions.find((one) => one instanceof SubjectAlternativeNameExtension)?.names.items ?? [];
  const of = (type: string): string[] => alternative.filter((one) => one.type === type).map(({ value }) => value);
  return {
    commonName: request.subjectName.getField('CN')[0] ?? '',
    organizations: request.subjectName.getField('O'),
    dns: of('dns'),
    ip: of('ip'),
    email: of('email'),
    url: of('url'),
  };
}
