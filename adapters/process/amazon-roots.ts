import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';

/** The issuers of AWS's own certificates and of ACM's: Amazon Trust Services, and Starfield, which issued them before. */
const AMAZON = /^O=Amazon$|^CN=Starfield Services Root Certificate Authority - G2$/m;

/** Those of Amazon's roots that this process trusts by default, PEM. */
export const amazonRoots = (): string =>
  rootCertificates.filter((pem) => AMAZON.test(new X509Certificate(pem).subject)).join('\n');
