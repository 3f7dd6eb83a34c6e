import { expect, test } from 'vitest';
import { internalError, notFound } from '#lib/machinery/errors.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { faultLine } from './fault-line.ts';

const namespaces = { group: '', resource: 'namespaces' };

test.each<[string, unknown, object]>([
  [
    'a missing namespace',
    notFound(namespaces, 'team'),
    { level: 'warning', message: 'namespaces "team" not found', auditId: 'x' },
  ],
  [
    'an error of the API',
    internalError('failed calling webhook'),
    { level: 'error', message: 'Internal error occurred: failed calling webhook', auditId: 'x' },
  ],
  [
    'an error of the store',
    new StoreError('Unavailable', 'the disk is full'),
    { level: 'error', message: 'the disk is full', auditId: 'x' },
  ],
  ['a text', 'lost', { level: 'error', message: 'lost', auditId: 'x' }],
])('logs %s without a stack', (_, error, line) => {
  expect(faultLine(error, { auditId: 'x' })).toEqual(line);
});

test('logs the stack and the cause of an unexpected error', () => {
  const error = new TypeError('fetch failed', { cause: new Error('connection refused') });
  expect(faultLine(error)).toEqual({
    level: 'error',
    message: 'fetch failed',
    cause: 'Error: connection refused',
    stack: expect.stringMatching(/^TypeError: fetch failed\n {4}at /),
  });
});
