import { StoreError } from '#lib/storage/errors.ts';

const THROTTLED = /Throttl|TooManyRequests|RequestLimitExceeded|LimitExceeded/;
/** The request itself is wrong: sent again it is wrong again. */
const MALFORMED =
  /^(ValidationException|ValidationError|InvalidArgument|SerializationException|BatchRequestTooLong|InvalidMessageContents|InvalidParameterValue|MissingParameter|InvalidAttributeValue|InvalidBatchEntryId|RequestEntityTooLarge|PayloadTooLarge)/;

/**
 * Classifies an error of a service's client: `malformed` if the service rejects the request for good, else a StoreError
 * for a fault that may pass.
 */
export function serviceFault(service: string, error: unknown): { readonly malformed: string } | StoreError {
  const name = error instanceof Error ? error.name.replace(/^AWS\.SimpleQueueService\./, '') : 'unknown error';
  if (MALFORMED.test(name)) return { malformed: `${name}: ${error instanceof Error ? error.message : ''}` };
  if (THROTTLED.test(name)) return new StoreError('Overloaded', `${service} throttles`, { cause: error });
  return new StoreError('Unavailable', `${service} did not answer: ${name}`, { cause: error });
}

/** The same where nothing is refused for good. */
export function storeFault(service: string, error: unknown): StoreError {
  const fault = serviceFault(service, error);
  return fault instanceof StoreError
    ? fault
    : new StoreError('Unavailable', `${service}: ${fault.malformed}`, { cause: error });
}
