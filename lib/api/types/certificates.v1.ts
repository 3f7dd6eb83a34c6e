// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Base64, Time } from './scalars.ts';

/** Asks a signer for a certificate, which must be approved before. */
export type CertificateSigningRequest = {
  [typed]?: 'certificates.v1.CertificateSigningRequest';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: CertificateSigningRequestSpec;
  status: CertificateSigningRequestStatus;
};

/** A decision about a request. */
export type CertificateSigningRequestCondition = {
  [typed]?: 'certificates.v1.CertificateSigningRequestCondition';
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastUpdateTime: Time | null;
  lastTransitionTime: Time | null;
};

/** A list of objects of kind CertificateSigningRequest. */
export type CertificateSigningRequestList = {
  [typed]?: 'certificates.v1.CertificateSigningRequestList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: CertificateSigningRequest[] | null;
};

/** The certificate that is asked for, and by whom. It cannot be changed. */
export type CertificateSigningRequestSpec = {
  [typed]?: 'certificates.v1.CertificateSigningRequestSpec';
  request: Base64 | null;
  signerName: string;
  expirationSeconds?: number;
  usages?: string[];
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[] | null>;
};

/** The decision about a request, and its certificate. */
export type CertificateSigningRequestStatus = {
  [typed]?: 'certificates.v1.CertificateSigningRequestStatus';
  conditions?: CertificateSigningRequestCondition[];
  certificate?: Base64;
};
