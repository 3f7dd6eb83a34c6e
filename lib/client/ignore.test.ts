import { expect, test } from 'vitest';
import { notFound, StatusError } from '#lib/machinery/errors.ts';
import { ignore, ignoreNotFound } from './ignore.ts';

const gone = notFound({ group: '', resource: 'pods' }, 'a');

test('ignores NotFound', () => {
  expect(ignoreNotFound(gone)).toBeUndefined();
});

test.each([
  ['another reason', gone],
  ['no reason', new StatusError(undefined, 'failed')],
  ['a fault of the program', new TypeError('failed')],
])('%s is thrown', (_, error) => {
  expect(() => ignore('Conflict', 'AlreadyExists')(error)).toThrow(error);
});
