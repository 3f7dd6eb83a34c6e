import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deadLettersConformance } from '#lib/stream/dead-letters.conformance.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { localTable, TestClock } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { dynamoDeadLetters } from './dead-letters.ts';
import { intercept } from './port.ts';

describeOn(await startDynamoDbLocal(), 'dead letters in DynamoDB', (endpoint) => {
  const aTable = async () => localTable(endpoint, `dead-${randomUUID()}`);

  deadLettersConformance(async () => dynamoDeadLetters(await aTable(), new TestClock()));

  test('a dead letter sends no notification, because its key is not a log key', async () => {
    const keys: (string | undefined)[] = [];
    const watched = intercept(await aTable(), (call, next) => {
      if (call.operation === 'put') keys.push(call.input.Item?.['pk']?.S);
      return next();
    });
    const deadLetter = { consumer: 'events', sequence: 'main//pods', version: 1, key: 'k', reason: 'r', at: 0 };
    await dynamoDeadLetters(watched, new TestClock()).put(deadLetter);
    expect(keys).toEqual(['dead']);
  });

  test('throws StoreError if the table rejects the write', async () => {
    const broken = intercept(await aTable(), () =>
      Promise.reject(Object.assign(new Error('no'), { name: 'AccessDeniedException' })),
    );
    const deadLetters = dynamoDeadLetters(broken, new TestClock());
    await expect(Array.fromAsync(deadLetters.all())).rejects.toMatchObject({ name: 'StoreError', code: 'Refused' });
  });
});
