import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { PodView } from './pod-security/check.ts';
import { pods } from './resource-quota/evaluators/pods.ts';

const pod = decodedAs(PODS, { spec: { hostNetwork: true, containers: [{ name: 'c' }] } });

test('does not compile with a misspelt field of a checked pod', () => {
  const { spec }: PodView = { annotations: {}, spec: pod.spec };
  expect(spec.hostNetwork).toBe(true);
  // @ts-expect-error misspelt field
  expect(spec.hostNetwrok).toBe(undefined);
});

test('does not compile with another object for an evaluator of pods', () => {
  expect(pods.usage(pod, 0).get('pods')).toBe('1');
  // @ts-expect-error a spec is not a pod
  expect(() => pods.usage(pod.spec, 0)).toThrow(TypeError);
});
