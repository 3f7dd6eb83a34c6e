import { expect, test } from 'vitest';
import { aPod } from '../../testing/pods.ts';
import { podsProvider } from './pods-provider.ts';

test.each([
  { name: 'a running pod', phase: 'Running', active: true },
  { name: 'a pod that has terminated in the API', phase: 'Succeeded', active: false },
  { name: 'a pod that has terminated for the agent', phase: 'Running', found: 'Failed', active: false },
  { name: 'a pod without any remains', phase: 'Running', terminated: true, active: false },
  { name: 'a pod with a terminal phase that is still terminating', phase: 'Failed', requested: true, active: true },
])('counts $name as active: $active', ({ phase, found, terminated = false, requested = false, active }) => {
  const pod = aPod('p', { status: { phase } });
  const pods = podsProvider({
    pods: () => [pod],
    phaseOf: () => found,
    isPodKnownTerminated: () => terminated,
    isPodTerminationRequested: () => requested,
  });
  expect(pods.getPods()).toEqual([pod]);
  expect(pods.getActivePods()).toEqual(active ? [pod] : []);
  expect(pods.getPodByName('default', 'p')).toEqual(active ? pod : undefined);
  expect(pods.getPodByName('other', 'p')).toBeUndefined();
});
