import { CERTIFICATE_SIGNING_REQUESTS } from '#lib/api/types/resources.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';
import { mayForSigner } from '../signer-right.ts';

/** Requires the right to approve for the signer before a request is approved or denied. */
export const certificateApproval = (authorizer: Authorizer): AdmissionPlugin => ({
  name: 'CertificateApproval',
  operations: ['UPDATE'],
  about: ['certificates.k8s.io/certificatesigningrequests'],
  async validate(attributes) {
    if (!isAbout(attributes, CERTIFICATE_SIGNING_REQUESTS, 'approval')) return;
    const { oldObject, user } = attributes;
    const signer = oldObject?.spec.signerName ?? '';
    if (await mayForSigner(authorizer, user, 'approve', signer)) return;
    throw refusal(attributes, `user not permitted to approve requests with signerName ${JSON.stringify(signer)}`);
  },
});
