import { expect, test } from 'vitest';
import { typedObject } from '#lib/api/typed.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Reader } from './special/connect.ts';

test('does not compile with a misspelt field of an object that an endpoint reads', async () => {
  const find: Reader = async (resource) => typedObject(resource, { metadata: { name: 'p' }, spec: { nodeName: 'n' } });
  const pod = await find(PODS, 'p');
  expect(pod.spec.nodeName).toBe('n');
  // @ts-expect-error misspelt field
  expect(pod.spec.nodeNmae).toBe(undefined);
});
