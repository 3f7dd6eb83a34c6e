import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { podResources } from './pod-resources.ts';

test('adds up status resources named like members of an object', () => {
  const resources = { requests: { constructor: '0', toString: '2', cpu: '300m' } };
  const pod = decodedAs(PODS, {
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: '100m' } } }] },
    status: { containerStatuses: [{ name: 'c', resources }] },
  });
  expect(Object.fromEntries(podResources(pod, 'requests'))).toEqual({ constructor: '0', toString: '2', cpu: '300m' });
});
