import { stringAt } from '#lib/machinery/json-value.ts';
import { at } from '#lib/registry/kinds/shared/fields.ts';
import { children, readElement, DerError } from '#lib/registry/kinds/certificates/der.ts';
import { pemBlocks } from '#lib/registry/kinds/certificates/pem.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

const SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';
/** The object identifier 2.5.4.10, as DER has it. */
const ORGANIZATION = '55040a';

/** Nobody becomes the superuser by asking for a certificate. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  operations: ['CREATE'],
  validate(attributes) {
    const { object } = attributes;
    if (!isAbout(attributes, 'certificates.k8s.io/certificatesigningrequests')) return;
    const spec = at(object, 'spec');
    if (stringAt(spec, 'signerName') !== SIGNER) return;
    const pem = Buffer.from(stringAt(spec, 'request') ?? '', 'base64').toString();
    try {
      if (!organizations(pem).includes(MASTERS)) return;
    } catch (error) {
      if (!(error instanceof DerError)) throw error;
      throw refusal(attributes, `failed to parse CSR: ${error.message}`);
    }
    throw refusal(attributes, `use of ${SIGNER} signer with ${MASTERS} group is not allowed`);
  },
};

/** The organizations in a certificate request's subject, which stands behind the version in the request's info. */
function organizations(pem: string): string[] {
  const [block] = pemBlocks(pem);
  if (block === undefined) throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  const [info] = children(readElement(block.bytes));
  const subject = info === undefined ? undefined : children(info)[1];
  if (subject === undefined) throw new DerError('asn1: structure error');
  const attributes = children(subject).flatMap(children).map(children);
  return attributes.flatMap(([type, value]) =>
    type?.content.toString('hex') === ORGANIZATION ? [value?.content.toString() ?? ''] : [],
  );
}
