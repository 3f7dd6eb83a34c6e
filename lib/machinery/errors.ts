import { aggregateText } from './aggregate.ts';
import { quote } from './go.ts';
import { type GroupKind, type GroupResource, qualifiedKind, qualifiedResource } from './schema.ts';
import { errorBody, type FieldError } from './validation/field.ts';

/** The `metav1.StatusReason`s with upstream's HTTP codes. */
const CODES = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const;
/** A `metav1.StatusReason`. */
export type StatusReason = keyof typeof CODES;

/** One entry in `details.causes`: a field error and the path of the field. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}
/** A `metav1.StatusDetails`: the object that the error is about, and the retry delay in seconds. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** An error response. Only the factories below create one. Endpoints turn it into a `Status`. */
export class StatusError extends Error {
  /** The reason. Webhooks may set their own. */
  readonly reason: string | undefined;
  readonly code: number;
  readonly details: StatusDetails | undefined;
  /** The Status' list metadata. The error of an expired continue token includes a new token to continue with. */
  readonly listMeta: { readonly continue?: string; readonly resourceVersion?: string } | undefined;

  constructor(
    reason: string | undefined,
    message: string,
    details?: StatusDetails,
    code?: number,
    listMeta?: StatusError['listMeta'],
  ) {
    super(message);
    this.name = 'StatusError';
    this.reason = reason;
    this.code = code ?? codeOf(reason);
    this.details = details;
    this.listMeta = listMeta;
  }
}

const codes: ReadonlyMap<string, number> = new Map(Object.entries(CODES));

const codeOf = (reason: string | undefined): number => codes.get(reason ?? '') ?? 500;

const about = ({ group, resource }: GroupResource, name: string): StatusDetails => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind: resource,
});

/** A 400 for a request that the server cannot parse, such as a selector with a syntax error. */
export const badRequest = (message: string): StatusError => new StatusError('BadRequest', message);
/** A 401: the request has no valid credentials. */
export const unauthorized = (message = 'Unauthorized'): StatusError => new StatusError('Unauthorized', message);
/** A 410: the requested resource version is no longer available. */
export const expired = (message: string): StatusError => new StatusError('Expired', message);
/** A 406: the resource has no media type in the Accept header. */
export const notAcceptable = (message: string): StatusError => new StatusError('NotAcceptable', message);
/** A 415: the server cannot decode the request's Content-Type. */
export const unsupportedMediaType = (message: string): StatusError => new StatusError('UnsupportedMediaType', message);
/** A 503 with Retry-After in seconds; 0 omits the header. */
export const serviceUnavailable = (message: string, retryAfterSeconds = 0): StatusError =>
  new StatusError('ServiceUnavailable', message, retryAfterSeconds === 0 ? undefined : { retryAfterSeconds });
/** A 413; `message` names the limit. */
export const requestEntityTooLarge = (message: string): StatusError =>
  new StatusError('RequestEntityTooLarge', `Request entity too large: ${message}`);

/** A 404 for an object that does not exist. */
export const notFound = (resource: GroupResource, name: string): StatusError =>
  new StatusError('NotFound', `${qualifiedResource(resource)} ${quote(name)} not found`, about(resource, name));

/** A 404 for an unknown path, with the generic text of upstream's handlers. */
export const noSuchPath = (): StatusError =>
  new StatusError('NotFound', 'the server could not find the requested resource', {});

/** A 409: an object with that name already exists. */
export const alreadyExists = (resource: GroupResource, name: string): StatusError =>
  new StatusError(
    'AlreadyExists',
    `${qualifiedResource(resource)} ${quote(name)} already exists`,
    about(resource, name),
  );

/** A 409 for a generateName whose random suffixes were all taken. The client retries after a second. */
export const generateNameConflict = (resource: GroupResource, name: string): StatusError =>
  new StatusError(
    'AlreadyExists',
    `${qualifiedResource(resource)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`,
    { ...about(resource, name), retryAfterSeconds: 1 },
  );

/** A 403 for one object. `why` is the reason from the authorizer or admission plugin. */
export function forbidden(resource: GroupResource, name: string, why: string): StatusError {
  const subject = qualifiedResource(resource);
  const head = subject === '' ? 'forbidden' : `${subject}${name === '' ? '' : ` ${quote(name)}`} is forbidden`;
  return new StatusError('Forbidden', `${head}: ${why}`, about(resource, name));
}

/** A 409 for a write with an outdated resourceVersion or a failed precondition. */
export const conflict = (resource: GroupResource, name: string, why: string): StatusError =>
  new StatusError(
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedResource(resource)} ${quote(name)}: ${why}`,
    about(resource, name),
  );

/** A 409 with a custom message, not about a stored object. */
export const conflictBecause = (message: string): StatusError => new StatusError('Conflict', message);

/** The conflict of server-side apply. `causes` name the managers and their fields. */
export const applyConflict = (causes: readonly StatusCause[], message: string): StatusError =>
  new StatusError('Conflict', message, { causes });

/** A 422 with one cause for each field error. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const { causes, more } = shown(errors);
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const head = `${qualifiedKind(kind)} ${quote(name)} is invalid`;
  return new StatusError(
    'Invalid',
    errors.length === 0 ? head : `${head}: ${aggregateText(more === 0 ? texts : [...texts, `and ${more} more`])}`,
    {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.kind,
      ...(causes.length === 0 ? {} : { causes }),
    },
  );
}

const MAX_CAUSES = 1000;
const MAX_CAUSES_TEXT = 256 * 1024;

/**
 * The errors to report, limited so that the response stays about as small as the invalid object. `more` is the number of omitted errors.
 */
function shown(errors: readonly FieldError[]) {
  const causes: { reason: string; message: string; field: string }[] = [];
  let length = 0;
  for (const error of errors) {
    if (causes.length === MAX_CAUSES || length > MAX_CAUSES_TEXT) break;
    const message = errorBody(error);
    length += message.length + error.field.length;
    causes.push({ reason: error.type, message, field: error.field });
  }
  return { causes, more: errors.length - causes.length };
}

/** Upstream's 405 for a storage without the verb: "delete is not supported on resources of kind …". */
export const methodNotSupported = (resource: GroupResource, action: string): StatusError =>
  new StatusError(
    'MethodNotAllowed',
    `${action} is not supported on resources of kind ${quote(qualifiedResource(resource))}`,
    about(resource, ''),
  );

/** Upstream's 405 for a path without the method. */
export const methodNotAllowed = (): StatusError =>
  new StatusError('MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** A 429 with Retry-After in seconds. */
export const tooManyRequests = (message: string, retryAfterSeconds: number): StatusError =>
  new StatusError('TooManyRequests', message, { retryAfterSeconds });

/** A 504 with Retry-After in seconds: the request may or may not have taken effect. */
export const timeout = (message: string, retryAfterSeconds: number): StatusError =>
  new StatusError('Timeout', `Timeout: ${message}`, { retryAfterSeconds });

/** A read of a version above the proven head: upstream's "Too large resource version" (504, retried by client-go). */
export const tooLargeResourceVersion = (
  requested: number | string,
  current: number,
  retryAfterSeconds = 1,
): StatusError =>
  new StatusError('Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  });

/** A 500 for an internal error. */
export const internalError = (message: string): StatusError =>
  new StatusError('InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

/** Upstream's generic 422. The client gets a fixed sentence. `why` is the error's `cause`, for the log. */
export function rejected(why: string): StatusError {
  const error = new StatusError('Invalid', 'the server rejected our request due to an error in our request', {});
  error.cause = why;
  return error;
}

/** A failure that upstream reports as plain text: 500 without a reason. */
export const unclassified = (message: string): StatusError => new StatusError(undefined, message);

/** Upstream's messages for responses of a backend server, if they are more specific than the code. */
const BACKEND: Readonly<Record<number, readonly [reason: StatusReason, message: string]>> = {
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  409: ['Conflict', 'the server reported a conflict'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

/** Upstream's NewGenericServerResponse: the rejection by a backend server, with its code. */
export function backendRefusal(code: number, resource: GroupResource, name: string, text: string): StatusError {
  const [reason, message] = backendText(code, text);
  return new StatusError(reason, `${message} ( ${qualifiedResource(resource)} ${name})`, about(resource, name), code);
}

function backendText(code: number, text: string): readonly [reason: StatusReason | undefined, message: string] {
  const known = BACKEND[code];
  if (known !== undefined) return known;
  if (code === 403) return ['Forbidden', text];
  if (code === 406) return ['NotAcceptable', text];
  if (code === 415) return ['UnsupportedMediaType', text];
  if (code >= 500)
    return ['InternalError', `an error on the server (${quote(text)}) has prevented the request from succeeding`];
  return [undefined, `the server responded with the status code ${code} but did not return more information`];
}

/** The status of a request that an admission webhook or policy denies. An empty reason is omitted. */
export function admissionDenial(given: {
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  readonly details?: StatusDetails;
}): StatusError {
  const { message, reason, code, details } = given;
  return new StatusError(reason === '' ? undefined : reason, message, details, code);
}
