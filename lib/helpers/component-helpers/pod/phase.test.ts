import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { isPodActive, isPodTerminal, isPodTerminating, phaseOf } from './phase.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';

test.each([
  ['Pending', false],
  ['Running', false],
  ['Unknown', false],
  ['', false],
  ['Succeeded', true],
  ['Failed', true],
])('decides whether a pod in phase "%s" is terminal: %s', (phase, isTerminal) => {
  const pod = decodedAs(PODS, { status: { phase } });
  expect([phaseOf(pod), isPodTerminal(pod), isPodActive(pod)]).toEqual([phase, isTerminal, !isTerminal]);
  const deleted = decodedAs(PODS, { metadata: { deletionTimestamp }, status: { phase } });
  expect([isPodTerminating(deleted), isPodActive(deleted)]).toEqual([!isTerminal, false]);
});
