import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { StoreError } from '#lib/storage/errors.ts';
import { type Fault, faultOf, storeError } from './faults.ts';

const named = (name: string): Error => Object.assign(new Error('a message that says throttled'), { name });

describe('errors of the SDK', () => {
  test.each<[unknown, Fault, string]>([
    [named('ThrottlingException'), 'throttled', 'Overloaded'],
    [named('ProvisionedThroughputExceededException'), 'throttled', 'Overloaded'],
    [named('RequestLimitExceeded'), 'throttled', 'Overloaded'],
    [named('TimeoutError'), 'ambiguous', 'Unavailable'],
    [named('InternalServerError'), 'ambiguous', 'Unavailable'],
    [named('SomethingNew'), 'ambiguous', 'Unavailable'],
    ['not an error', 'ambiguous', 'Unavailable'],
    [named('InvalidSignatureException'), 'refused', 'Unavailable'],
    [named('ExpiredTokenException'), 'forbidden', 'Refused'],
    [named('CredentialsProviderError'), 'forbidden', 'Refused'],
    [named('TransactionConflictException'), 'throttled', 'Overloaded'],
    [named('ValidationException'), 'refused', 'Unavailable'],
    [new ConditionalCheckFailedException({ $metadata: {}, message: '' }), 'condition', 'Unavailable'],
  ])('classifies %s as %s and throws %s', (error, fault, code) => {
    expect(faultOf(error)).toBe(fault);
    expect(storeError(error)).toMatchObject({ code, cause: error });
  });

  test('returns a StoreError unchanged', () => {
    const error = new StoreError('Expired', 'gone');
    expect(storeError(error)).toBe(error);
  });
});
