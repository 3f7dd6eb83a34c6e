import { CERTIFICATE_SIGNING_REQUESTS } from '#lib/api/types/resources.ts';
import { DerError } from '#lib/server/registry/kinds/certificates/der.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { ORGANIZATION, subjectValues } from '../certificate-request.ts';
import { isAbout, refusal } from '../refusal.ts';

const SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';

/** Rejects certificate requests that would make the requestor a superuser. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  operations: ['CREATE'],
  validate(attributes) {
    if (!isAbout(attributes, CERTIFICATE_SIGNING_REQUESTS)) return;
    const spec = attributes.object?.spec;
    if (spec?.signerName !== SIGNER) return;
    try {
      if (!subjectValues(spec.request ?? '', ORGANIZATION).includes(MASTERS)) return;
    } catch (error) {
      if (!(error instanceof DerError)) throw error;
      throw refusal(attributes, `failed to parse CSR: ${error.message}`);
    }
    throw refusal(attributes, `use of ${SIGNER} signer with ${MASTERS} group is not allowed`);
  },
};
