import { expect, test } from 'vitest';
import { notFound, StatusError } from '#lib/machinery/errors.ts';
import { ignore, ignoreNotFound } from './ignore.ts';

const gone = notFound({ group: '', resource: 'pods' }, 'a');

test('ignores errors with the reason NotFound', () => {
  expect(ignoreNotFound(gone)).toBeUndefined();
});

test.each([
  ['another reason', gone],
  ['no reason', new StatusError(undefined, 'failed')],
  ['another class', new TypeError('failed')],
])('rethrows an error with %s', (_, error) => {
  expect(() => ignore('Conflict', 'AlreadyExists')(error)).toThrow(error);
});
