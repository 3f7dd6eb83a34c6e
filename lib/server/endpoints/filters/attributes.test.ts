import { expect, test } from 'vitest';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { requestAttributes } from './attributes.ts';

const asked = (method: string, path: string, query: string) => {
  const context = aRequestContext({ method, path, query: new URLSearchParams(query) });
  const { verb, name, fieldSelector, labelSelector } = requestAttributes(context);
  return { verb, name, fields: fieldSelector?.length ?? 0, labels: labelSelector?.length ?? 0 };
};
const PODS = '/api/v1/namespaces/ns/pods';

test.each([
  ['GET', PODS, '', { verb: 'list', name: '', fields: 0, labels: 0 }],
  ['GET', PODS, 'fieldSelector=metadata.name%3Dx', { verb: 'list', name: 'x', fields: 1, labels: 0 }],
  ['GET', PODS, 'watch=1&fieldSelector=metadata.name%3Dx,a!%3Db', { verb: 'watch', name: 'x', fields: 2, labels: 0 }],
  ['GET', PODS, 'fieldSelector=metadata.name!%3Dx', { verb: 'list', name: '', fields: 1, labels: 0 }],
  ['GET', PODS, 'fieldSelector=metadata.name%3D..', { verb: 'list', name: '', fields: 1, labels: 0 }],
  ['GET', PODS, 'fieldSelector=metadata.name%3Da/b', { verb: 'list', name: '', fields: 1, labels: 0 }],
  ['DELETE', PODS, 'fieldSelector=metadata.name%3Dx', { verb: 'deletecollection', name: '', fields: 1, labels: 0 }],
  ['GET', PODS, 'labelSelector=a,b%3Dc&fieldSelector=nonsense', { verb: 'list', name: '', fields: 0, labels: 2 }],
  ['GET', PODS, 'labelSelector=%21%21', { verb: 'list', name: '', fields: 0, labels: 0 }],
  ['GET', `${PODS}/y`, 'fieldSelector=metadata.name%3Dx', { verb: 'get', name: 'y', fields: 0, labels: 0 }],
  ['POST', PODS, 'fieldSelector=metadata.name%3Dx', { verb: 'create', name: '', fields: 0, labels: 0 }],
])('returns the attributes of %s %s?%s', (method, path, query, attributes) => {
  expect(asked(method, path, query)).toEqual(attributes);
});
