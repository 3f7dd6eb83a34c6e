import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  type GeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  type Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** The terms of a certificate. */
export interface Terms {
  readonly usages: readonly string[];
  /** The requested lifetime in seconds. Defaults to the longest that the authority allows. */
  readonly seconds?: number;
  /** The current time in ms since 1970. */
  readonly now: number;
}

/** Signs certificates for requests that the control plane approved. */
export interface CertificateAuthority {
  /** Returns the certificate as PEM. Throws RangeError once the authority's own certificate has expired. */
  sign(request: Pkcs10CertificateRequest, terms: Terms): Promise<string>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const MINUTE = 60_000;
const BACKDATE = 5 * MINUTE;
const SHORT = 8 * 60 * MINUTE;
const SHORTEST = 10 * MINUTE;
const LONGEST = 365 * 24 * 60 * MINUTE;

const FLAGS: Readonly<Record<string, number>> = {
  signing: KeyUsageFlags.digitalSignature,
  'digital signature': KeyUsageFlags.digitalSignature,
  'content commitment': KeyUsageFlags.nonRepudiation,
  'key encipherment': KeyUsageFlags.keyEncipherment,
  'key agreement': KeyUsageFlags.keyAgreement,
  'data encipherment': KeyUsageFlags.dataEncipherment,
  'cert sign': KeyUsageFlags.keyCertSign,
  'crl sign': KeyUsageFlags.cRLSign,
  'encipher only': KeyUsageFlags.encipherOnly,
  'decipher only': KeyUsageFlags.decipherOnly,
};
const PURPOSES: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': ExtendedKeyUsage.serverAuth,
  'client auth': ExtendedKeyUsage.clientAuth,
  'code signing': ExtendedKeyUsage.codeSigning,
  'email protection': ExtendedKeyUsage.emailProtection,
  's/mime': ExtendedKeyUsage.emailProtection,
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: ExtendedKeyUsage.timeStamping,
  'ocsp signing': ExtendedKeyUsage.ocspSigning,
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

/** An authority with a P-256 key, both PEM. It applies upstream's PermissiveSigningPolicy. */
export function certificateAuthority(pem: {
  readonly certificate: string;
  readonly key: string;
}): CertificateAuthority {
  cryptoProvider.set(webcrypto);
  const issuer = new X509Certificate(pem.certificate);
  const der = createPrivateKey(pem.key).export({ type: 'pkcs8', format: 'der' });
  const signingKey = webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
  return {
    async sign(request, terms) {
      const certificate = await X509CertificateGenerator.create({
        ...validity(terms, issuer.notAfter.getTime()),
        serialNumber: Buffer.from(webcrypto.getRandomValues(new Uint8Array(16))).toString('hex'),
        subject: request.subjectName,
        issuer: issuer.subjectName,
        publicKey: request.publicKey,
        signingKey: await signingKey,
        signingAlgorithm: ALGORITHM,
        extensions: [...extensions(request, terms), await AuthorityKeyIdentifierExtension.create(issuer.publicKey)],
      });
      return `${certificate.toString('pem')}\n`;
    },
  };
}

/** The validity starts before now, to tolerate slow clocks. It ends no later than that of the authority. */
function validity({ seconds, now }: Terms, authorityEnds: number): { notBefore: Date; notAfter: Date } {
  if (now >= authorityEnds) throw new RangeError('the authority of certificates is over');
  const asked = seconds === undefined ? LONGEST : seconds * 1000;
  const lifetime = Math.min(Math.max(asked, SHORTEST), LONGEST);
  const ends = now + lifetime - (lifetime < SHORT ? 0 : BACKDATE);
  return { notBefore: new Date(now - BACKDATE), notAfter: new Date(Math.min(ends, authorityEnds)) };
}

/** Signers check only these types of names. */
const isJudged = ({ type }: GeneralName): boolean => ['dns', 'ip', 'email', 'url'].includes(type);

/** Copies only the names from the request. The certificate cannot sign others. */
function extensions(request: Pkcs10CertificateRequest, { usages }: Terms): Extension[] {
  const flags = usages.reduce((all, usage) => all | (FLAGS[usage] ?? 0), 0);
  const purposes = [...new Set(usages.flatMap((usage) => PURPOSES[usage] ?? []))];
  const names = request.extensions.find((one) => one instanceof SubjectAlternativeNameExtension);
  return [
    new BasicConstraintsExtension(false, undefined, true),
    ...(flags === 0 ? [] : [new KeyUsagesExtension(flags, true)]),
    ...(purposes.length === 0 ? [] : [new ExtendedKeyUsageExtension(purposes)]),
    ...(names === undefined ? [] : [new SubjectAlternativeNameExtension(names.names.items.filter(isJudged))]),
  ];
}
