import type { CertificateSigningRequest, CertificateSigningRequestStatus } from '#lib/api/types/certificates.v1.ts';
import { humanDuration } from '#lib/machinery/human-duration.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE } from '../cells.ts';
import { AGE_COLUMN, column } from '../columns.ts';
import { NAME_COLUMN } from '../default.ts';

/** Upstream's printCertificateSigningRequest. */
export const certificateSigningRequest: TablePrinter<CertificateSigningRequest> = {
  columns: [
    NAME_COLUMN,
    AGE_COLUMN,
    column('SignerName', 'Who is to sign the certificate.'),
    column('Requestor', 'The user who asks for the certificate.'),
    column('RequestedDuration', 'How long the certificate should be valid.'),
    column('Condition', 'Whether the request is pending, approved, denied or failed, and a certificate issued.'),
  ],
  cells(object, now) {
    const { signerName, username = '', expirationSeconds } = object.spec;
    return [
      nameOf(object),
      age(object, now),
      signerName || NONE,
      username,
      expirationSeconds === undefined ? NONE : humanDuration(expirationSeconds * 1000),
      conditionText(object.status),
    ];
  },
};

function conditionText({ conditions = [], certificate }: CertificateSigningRequestStatus): string {
  const types = new Set(conditions.map(({ type }) => type));
  const decision = ['Denied', 'Approved'].find((type) => types.has(type)) ?? 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${decision}${failed}${certificate ? ',Issued' : ''}`;
}
