import { admissionDenial, type StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { count, items, text } from '#lib/machinery/unstructured.ts';

/** A webhook returned no usable response. Its failure policy decides whether to reject the request. */
export class CallFailure extends Error {
  /** The status code in metrics, like upstream's. Clients do not receive it. */
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

/** A webhook rejected the request. */
export class Denied extends Error {
  readonly status: StatusError;

  constructor(status: StatusError) {
    super(status.message);
    this.name = 'Denied';
    this.status = status;
  }
}

/** Returns the rejection of a request with the webhook's status. */
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

/** Returns the code, or 400 if it is not a valid code for a rejection or an HTTP response. */
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
