import type { Authorizer } from '#lib/authorization/authorizer.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';
import { mayForSigner } from '../signer-right.ts';

/** Who approves or denies a request needs the right to approve for its signer. */
export const certificateApproval = (authorizer: Authorizer): AdmissionPlugin => ({
  name: 'CertificateApproval',
  operations: ['UPDATE'],
  about: ['certificates.k8s.io/certificatesigningrequests'],
  async validate(attributes) {
    const { resource, subresource, oldObject = {}, user } = attributes;
    if (subresource !== 'approval' || resource.resource !== 'certificatesigningrequests') return;
    const signer = text(at(oldObject, 'spec'), 'signerName');
    if (await mayForSigner(authorizer, user, 'approve', signer)) return;
    throw refusal(attributes, `user not permitted to approve requests with signerName ${JSON.stringify(signer)}`);
  },
});
