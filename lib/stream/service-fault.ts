import { StoreError } from '#lib/storage/errors.ts';

const THROTTLED = /Throttl|TooManyRequests|RequestLimitExceeded|LimitExceeded/;
/** The request itself is invalid, so a retry would fail too. */
const MALFORMED =
  /^(ValidationException|ValidationError|InvalidArgument|SerializationException|BatchRequestTooLong|InvalidMessageContents|InvalidParameterValue|MissingParameter|InvalidAttributeValue|InvalidBatchEntryId|RequestEntityTooLarge|PayloadTooLarge)/;

/**
 * Classifies an error of a service client: `malformed` if the service rejects the request for good, otherwise a StoreError for a transient
 * error.
 */
export function serviceFault(service: string, error: unknown): { readonly malformed: string } | StoreError {
  const name = error instanceof Error ? error.name.replace(/^AWS\.SimpleQueueService\./, '') : 'unknown error';
  if (MALFORMED.test(name)) return { malformed: `${name}: ${error instanceof Error ? error.message : ''}` };
  if (THROTTLED.test(name)) return new StoreError('Overloaded', `${service} throttles`, { cause: error });
  return new StoreError('Unavailable', `${service} did not answer: ${name}`, { cause: error });
}

/** Classifies an error of a service that never rejects a request for good. */
export function storeFault(service: string, error: unknown): StoreError {
  const fault = serviceFault(service, error);
  return fault instanceof StoreError
    ? fault
    : new StoreError('Unavailable', `${service}: ${fault.malformed}`, { cause: error });
}
