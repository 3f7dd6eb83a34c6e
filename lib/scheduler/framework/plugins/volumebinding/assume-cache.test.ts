import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aLister } from '../../../testing/wrappers.ts';
import { AssumeCache } from './assume-cache.ts';

const anObject = (resourceVersion: string, what: string): JsonObject => ({
  metadata: { name: 'o', resourceVersion },
  what,
});

function aCache() {
  const stored = { objects: [anObject('1', 'stored')] };
  const cache = new AssumeCache(() => aLister(stored.objects));
  const seen = (): unknown => [cache.get('', 'o')?.['what'], cache.list().map((one) => one['what'])];
  return { stored, cache, seen };
}

test('returns an assumed object until it is restored', () => {
  const { cache, seen } = aCache();
  expect(cache.assume(anObject('1', 'assumed'))).toBeUndefined();
  expect(seen()).toEqual(['assumed', ['assumed']]);
  cache.restore(anObject('2', 'another'));
  expect(seen()).toEqual(['assumed', ['assumed']]);
  cache.restore(anObject('1', 'assumed'));
  expect(seen()).toEqual(['stored', ['stored']]);
});

test("drops an assumed object for the lister's newer one", () => {
  const { stored, cache, seen } = aCache();
  cache.assume(anObject('1', 'assumed'));
  stored.objects = [anObject('2', 'newer')];
  expect(seen()).toEqual(['newer', ['newer']]);
  stored.objects = [anObject('1', 'stored')];
  expect(seen()).toEqual(['stored', ['stored']]);
});

test.each<[string, JsonObject[], string]>([
  ['has changed', [anObject('2', 'newer')], '"/o" is out of sync (stored: 2, assume: 1)'],
  ['is gone', [], '"/o" is not there any more'],
])('rejects an assumed object that %s', (_, objects, why) => {
  const { stored, cache } = aCache();
  stored.objects = objects;
  expect(cache.assume(anObject('1', 'assumed'))).toBe(why);
});
