import { describe, expect, test } from 'vitest';
import { invalid } from './errors.ts';
import { FieldPath, invalid as invalidField } from './validation/field.ts';
import { validateOwnerReferences } from './validation/object-meta.ts';

const kind = { group: 'apps', kind: 'Deployment' };
const path = FieldPath.of('spec');

describe('the message about an invalid object', () => {
  test('has every short cause', () => {
    const error = invalid(kind, 'a', [invalidField(path.child('x'), 1, 'too small'), invalidField(path, 'y', 'no')]);
    expect(error.message).toBe(
      'Deployment.apps "a" is invalid: [spec.x: Invalid value: 1: too small, spec: Invalid value: "y": no]',
    );
    expect(error.details?.causes).toHaveLength(2);
  });

  test('has at most a thousand causes', () => {
    const errors = Array.from({ length: 200_000 }, (_, i) => invalidField(path.index(i), i, 'too small'));
    const { message, details } = invalid(kind, 'a', errors);
    expect(details?.causes).toHaveLength(1000);
    expect(message.endsWith('spec[999]: Invalid value: 999: too small, and 199000 more]')).toBe(true);
  });

  test('does not grow quadratically with an object that every error shows', () => {
    const references = Array.from({ length: 20_000 }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      name: `a${i}`,
      uid: `u${i}`,
      controller: true,
    }));
    const errors = validateOwnerReferences(references, path);
    const { message, details } = invalid(kind, 'a', errors);
    expect(errors).toHaveLength(19_999);
    expect(details?.causes).toHaveLength(1);
    expect(message.length).toBeLessThan(4_000_000);
  });
});
