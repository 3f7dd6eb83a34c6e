import { admissionDenial, type StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text, count } from '#lib/machinery/unstructured.ts';

/** A webhook that gave no usable answer: its failure policy says what becomes of the request. */
export class CallFailure extends Error {
  /** What it counts as: upstream's status of it, which no client sees. */
  readonly code: number;

  constructor(
    webhook: string,
    why: string,
    { code = 503, ...options }: ErrorOptions & { readonly code?: number } = {},
  ) {
    super(`failed calling webhook ${quote(webhook)}: ${why}`, options);
    this.name = 'CallFailure';
    this.code = code;
  }
}

/** A webhook that said no. */
export class Denied extends Error {
  readonly status: StatusError;

  constructor(status: StatusError) {
    super(status.message);
    this.name = 'Denied';
    this.status = status;
  }
}

/** What a webhook answered by: the request is refused with the status that it gave. */
export function denial(webhook: string, result: JsonObject | undefined): StatusError {
  const denied = `admission webhook ${quote(webhook)} denied the request`;
  const [message, reason] = [text(result, 'message'), text(result, 'reason')];
  const why = message === '' ? reason : message;
  const details = objectAt(result, 'details');
  return admissionDenial({
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    reason,
    code: codeOf(Number(count(result, 'code'))),
    ...(details === undefined ? {} : { details: detailsOf(details) }),
  });
}

/** Codes that no refusal has, or no answer can, stand for one without reason. */
const codeOf = (given: number): number => (given >= 400 && given <= 999 ? given : 400);

function detailsOf(details: JsonObject): NonNullable<StatusError['details']> {
  return {
    name: text(details, 'name'),
    group: text(details, 'group'),
    kind: text(details, 'kind'),
    uid: text(details, 'uid'),
    causes: items(details, 'causes').map((cause) => ({
      reason: text(cause, 'reason'),
      message: text(cause, 'message'),
      field: text(cause, 'field'),
    })),
    retryAfterSeconds: Number(count(details, 'retryAfterSeconds')),
  };
}
