import { expect, test } from 'vitest';
import { PODS, SERVICES } from '#lib/api/types/resources.ts';
import { isAbout } from './refusal.ts';
import { anAttributes, lookupOf } from './testing.ts';

test("does not compile with a misspelt field of the request's object", () => {
  const attributes = anAttributes({ resource: 'pods', object: { metadata: { name: 'p' }, spec: { nodeName: 'n' } } });
  expect(isAbout(attributes, SERVICES)).toBe(false);
  expect(isAbout(attributes, PODS, 'status')).toBe(false);
  if (!isAbout(attributes, PODS)) throw new Error('the request is about pods');
  expect(attributes.object?.spec.nodeName).toBe('n');
  // @ts-expect-error misspelt field
  expect(attributes.object?.spec.nodeNmae).toBe(undefined);
});

test('does not compile with a misspelt field of an object from a lookup', async () => {
  const lookup = lookupOf({ '/pods': [{ metadata: { name: 'p' }, spec: { nodeName: 'n' } }] });
  const pod = await lookup.find(PODS, 'p');
  expect(pod?.spec.nodeName).toBe('n');
  // @ts-expect-error misspelt field
  expect(pod?.spec.nodeNmae).toBe(undefined);
});
