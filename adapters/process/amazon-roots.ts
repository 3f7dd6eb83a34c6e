import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';

/** Who signs what AWS serves under its own names, and certificates of ACM: Amazon Trust Services, and who vouched for it before. */
const AMAZON = /^O=Amazon$|^CN=Starfield Services Root Certificate Authority - G2$/m;

/** Those of the roots that this process trusts by itself, PEM. */
export const amazonRoots = (): string =>
  rootCertificates.filter((pem) => AMAZON.test(new X509Certificate(pem).subject)).join('\n');
