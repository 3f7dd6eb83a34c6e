import { expect, test } from 'vitest';
import type { ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { allocated, aRequest, aResourceClaim } from '#lib/helpers/dynamic-resource-allocation/testing.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aHandle, aLister } from '../../../testing/wrappers.ts';
import { ClaimTracker, claimTracker } from './claim-tracker.ts';

const claim = (version: string, ...devices: string[]): ResourceClaim => {
  const made = aResourceClaim('c', [aRequest()]);
  const at1 = { ...made, metadata: { ...made.metadata, resourceVersion: version } };
  return devices.length === 0 ? at1 : allocated(at1, devices);
};

function aTracker(...objects: ResourceClaim[]) {
  const [stored, clock] = [{ objects }, new ManualClock()];
  const tracker = new ClaimTracker(() => aLister(stored.objects), clock);
  const taken = (): string[] => [...tracker.state().devices].map((id) => id.slice(id.lastIndexOf('/') + 1));
  return { stored, clock, tracker, taken };
}

test('keeps devices allocated from the decision through the write to the release', () => {
  const { stored, tracker, taken } = aTracker(claim('1'));
  expect(taken()).toEqual([]);
  tracker.setPending(claim('1', 'd'));
  expect([taken(), tracker.isPending(claim('1'))]).toEqual([['d'], true]);
  tracker.setWritten(claim('10', 'd'));
  tracker.removePending(claim('1'));
  expect([taken(), tracker.get('default', 'c')]).toEqual([['d'], claim('10', 'd')]);
  stored.objects = [claim('9')];
  expect(taken()).toEqual(['d']);
  stored.objects = [claim('11')];
  expect(taken()).toEqual([]);
});

test('counts a created claim before listers return it, for two minutes', () => {
  const { clock, tracker, taken } = aTracker();
  tracker.setWritten(claim('1', 'd'));
  expect(taken()).toEqual(['d']);
  clock.advance(120_000);
  expect(taken()).toEqual([]);
  tracker.setWritten(claim('1', 'd'));
  tracker.forget(claim('1', 'd'));
  expect(taken()).toEqual([]);
});

test.each<[string, (stored: { objects: ResourceClaim[] }, write: () => void) => void]>([
  [
    'before it was written',
    (stored, write) => {
      stored.objects = [claim('1')];
      write();
    },
  ],
  [
    'after it was written',
    (stored, write) => {
      write();
      stored.objects = [claim('1')];
    },
  ],
])('frees the devices of a deleted claim that listers first returned %s', (_, writing) => {
  const { stored, tracker, taken } = aTracker();
  writing(stored, () => tracker.setWritten(claim('10', 'd')));
  expect(taken()).toEqual(['d']);
  stored.objects = [];
  expect(taken()).toEqual([]);
});

test('shares one tracker among profiles with the same client', () => {
  const [one, other] = [{ ...aHandle().client }, { ...aHandle().client }];
  expect(claimTracker(aHandle({ client: one }))).toBe(claimTracker(aHandle({ client: one })));
  expect(claimTracker(aHandle({ client: one }))).not.toBe(claimTracker(aHandle({ client: other })));
});
