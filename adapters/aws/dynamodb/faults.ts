import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { StoreError } from '#lib/storage/errors.ts';

/** The categories of SDK errors. Only this file uses the names of SDK errors. */
export type Fault = 'condition' | 'throttled' | 'ambiguous' | 'refused' | 'forbidden';

const THROTTLED = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'TransactionConflictException',
  'ReplicatedWriteConflictException',
]);
/** Errors with which the server refused the request before it did anything. Repeating the same request cannot help. */
const REFUSED = new Set([
  'ValidationException',
  'InvalidSignatureException',
  'RequestTimeTooSkewed',
  'ItemCollectionSizeLimitExceededException',
]);
/** Errors with which the server would refuse every request of this program. */
const FORBIDDEN = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignatureException',
  'MissingAuthenticationTokenException',
  'ResourceNotFoundException',
  'TokenProviderError',
  'UnrecognizedClientException',
]);

/** Classifies an error. Unknown errors are ambiguous, because the request may have succeeded. */
export function faultOf(error: unknown): Fault {
  if (error instanceof ConditionalCheckFailedException) return 'condition';
  const name = error instanceof Error ? error.name : '';
  if (THROTTLED.has(name)) return 'throttled';
  if (FORBIDDEN.has(name)) return 'forbidden';
  return REFUSED.has(name) ? 'refused' : 'ambiguous';
}

/** The item that failed a condition, if the request asked for it. */
export function conflictingItem(error: unknown): Record<string, AttributeValue> | undefined {
  return error instanceof ConditionalCheckFailedException ? error.Item : undefined;
}

/** Maps an SDK error to a StoreError. A StoreError is returned unchanged. */
export function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const fault = faultOf(error);
  if (fault === 'throttled') return new StoreError('Overloaded', 'the table throttles', { cause: error });
  const name = error instanceof Error ? error.name : 'unknown error';
  if (fault === 'forbidden')
    return new StoreError('Refused', `the table refuses this server: ${name}`, { cause: error });
  return new StoreError('Unavailable', `the table did not answer: ${name}`, { cause: error });
}
