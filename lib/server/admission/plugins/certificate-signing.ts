import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import { CERTIFICATE_SIGNING_REQUESTS } from '#lib/api/types/resources.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';
import { mayForSigner } from '../signer-right.ts';

/** Requires the right to sign for the signer before a request gets a certificate or the Failed condition. */
export const certificateSigning = (authorizer: Authorizer): AdmissionPlugin => ({
  name: 'CertificateSigning',
  operations: ['UPDATE'],
  about: ['certificates.k8s.io/certificatesigningrequests'],
  async validate(attributes) {
    if (!isAbout(attributes, CERTIFICATE_SIGNING_REQUESTS, 'status')) return;
    const { object, oldObject, user } = attributes;
    if (equal(signed(object), signed(oldObject))) return;
    const signer = oldObject?.spec.signerName ?? '';
    if (await mayForSigner(authorizer, user, 'sign', signer)) return;
    throw refusal(attributes, `user not permitted to sign requests with signerName ${JSON.stringify(signer)}`);
  },
});

const signed = (request: CertificateSigningRequest | undefined): JsonObject => ({
  certificate: request?.status.certificate ?? '',
  conditions: request?.status.conditions ?? [],
});
