import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';

/** The CAs that issue certificates for AWS and ACM: Amazon Trust Services, and Starfield, which did so before. */
const AMAZON = /^O=Amazon$|^CN=Starfield Services Root Certificate Authority - G2$/m;

/** Amazon's roots among the roots that this process trusts by default, PEM. */
export const amazonRoots = (): string =>
  rootCertificates.filter((pem) => AMAZON.test(new X509Certificate(pem).subject)).join('\n');
