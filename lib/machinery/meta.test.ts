import { describe, expect, test } from 'vitest';
import { conflict, invalid, noSuchPath, tooManyRequests } from './errors.ts';
import { encodeJson } from './json.ts';
import {
  controllerOf,
  deletionTimeOf,
  finalizersOf,
  generationOf,
  isDeleting,
  labelsOf,
  nameOf,
  uidOf,
} from './meta.ts';
import { generateName } from './names-generator.ts';
import { statusOf } from './status.ts';
import { required } from './validation/field.ts';

describe('metadata of objects', () => {
  const object = {
    metadata: {
      name: 'n',
      uid: 7,
      generation: 3n,
      labels: { a: 'b', c: 1 },
      finalizers: ['x', 1],
      deletionTimestamp: '2024-01-01T00:00:00Z',
      ownerReferences: [{ name: 'a' }, { apiVersion: 'v1', kind: 'K', name: 'b', uid: 'u', controller: true }],
    },
  };

  test('are read if they have the right types', () => {
    expect([nameOf(object), uidOf(object), generationOf(object)]).toEqual(['n', '', 3]);
    expect({ ...labelsOf(object) }).toEqual({ a: 'b' });
    expect(labelsOf(object)['constructor']).toBeUndefined();
    expect(finalizersOf(object)).toEqual(['x']);
    expect(isDeleting(object)).toBe(true);
    expect(deletionTimeOf(object)).toEqual(new Date('2024-01-01T00:00:00Z'));
    expect(controllerOf(object)).toMatchObject({ name: 'b', uid: 'u', blockOwnerDeletion: false });
  });

  test('are empty for an object without any', () => {
    expect([nameOf({}), isDeleting({}), controllerOf({}), deletionTimeOf({})]).toEqual([
      '',
      false,
      undefined,
      undefined,
    ]);
  });
});

test.each([
  ['web-', /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/],
  ['x'.repeat(70), /^x{58}.{5}$/],
])('include a name generated from %s', (base, pattern) => {
  expect(generateName(base)).toMatch(pattern);
});

describe('statusOf an error', () => {
  test.each([
    [
      conflict({ group: 'apps', resource: 'deployments' }, 'web', 'why'),
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Operation cannot be fulfilled on deployments.apps \\"web\\": why","reason":"Conflict","details":{"name":"web","group":"apps","kind":"deployments"},"code":409}',
    ],
    [
      invalid({ group: '', kind: 'Pod' }, 'p', [required('spec')]),
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Pod \\"p\\" is invalid: spec: Required value","reason":"Invalid","details":{"name":"p","kind":"Pod","causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec"}]},"code":422}',
    ],
    [
      tooManyRequests('slow', 1),
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"slow","reason":"TooManyRequests","details":{"retryAfterSeconds":1},"code":429}',
    ],
    [
      noSuchPath(),
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server could not find the requested resource","reason":"NotFound","details":{},"code":404}',
    ],
  ])('converts the error %s', (error, text) => {
    expect(encodeJson(statusOf(error))).toBe(text);
  });
});
