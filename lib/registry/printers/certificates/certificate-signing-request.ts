import { humanDuration } from '#lib/machinery/human-duration.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { integer, items, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE, textOr } from '../cells.ts';
import { AGE_COLUMN, column } from '../columns.ts';
import { NAME_COLUMN } from '../default.ts';

/** Upstream's printCertificateSigningRequest. */
export const certificateSigningRequest: TablePrinter = {
  columns: [
    NAME_COLUMN,
    AGE_COLUMN,
    column('SignerName', 'Who is to sign the certificate.'),
    column('Requestor', 'The user who asks for the certificate.'),
    column('RequestedDuration', 'How long the certificate should be valid.'),
    column('Condition', 'Whether the request is pending, approved, denied or failed, and a certificate issued.'),
  ],
  cells(object, now) {
    const spec = objectAt(object, 'spec');
    const expiration = integer(spec, 'expirationSeconds');
    return [
      nameOf(object),
      age(object, now),
      textOr(spec, 'signerName', NONE),
      text(spec, 'username'),
      expiration === undefined ? NONE : humanDuration(Number(expiration) * 1000),
      conditionText(objectAt(object, 'status')),
    ];
  },
};

function conditionText(status: JsonObject | undefined): string {
  const types = new Set(items(status, 'conditions').map((condition) => text(condition, 'type')));
  const decision = ['Denied', 'Approved'].find((type) => types.has(type)) ?? 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${decision}${failed}${text(status, 'certificate') === '' ? '' : ',Issued'}`;
}
