import { assert, property, string, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { type InterestingObject, interestsIn, isFollowing, isInterestedIn, nameOfInterests } from './interests.ts';

const secret = (name: string): InterestingObject => ({ type: 'secrets', namespace: 'here', name });

test("matches exactly the objects of a node's interests", () => {
  assert(
    property(uniqueArray(string(), { minLength: 2, maxLength: 40 }), ([other = '', ...names]) => {
      const interests = interestsIn(names.map(secret));
      for (const name of names) expect(isInterestedIn(interests, secret(name))).toBe(true);
      expect(isInterestedIn(interests, secret(other))).toBe(false);
    }),
  );
});

test('distinguishes a Secret from a ConfigMap of the same name', () => {
  expect(isInterestedIn(interestsIn([secret('a')]), { ...secret('a'), type: 'configmaps' })).toBe(false);
});

test('returns the same interests for the same objects, in any order and number', () => {
  const [one, other] = [interestsIn(['a', 'b', 'a'].map(secret)), interestsIn(['b', 'a'].map(secret))];
  expect(one).toBe(other);
  expect(nameOfInterests(one)).toBe(nameOfInterests(other));
  expect(nameOfInterests(one)).not.toBe(nameOfInterests(interestsIn([secret('a')])));
});

test('matches all objects for a node with thousands of them', () => {
  const interests = interestsIn(Array.from({ length: 3_000 }, (_, i) => secret(`s${i}`)));
  expect(interests).toBe('*');
  expect(isInterestedIn(interests, secret('any'))).toBe(true);
  expect(isFollowing(interests, 'allpods')).toBe(false);
});

test.each([3, 3_000])('lets a node with %i objects follow exactly the types that it requested', (size) => {
  const objects = Array.from({ length: size }, (_, i) => secret(`s${i}`));
  const interests = interestsIn(objects, ['endpointslices', 'namespaces']);
  expect(isFollowing(interests, 'endpointslices')).toBe(true);
  expect(isFollowing(interests, 'namespaces')).toBe(true);
  expect(isFollowing(interests, 'networkpolicies')).toBe(false);
  for (const object of objects) expect(isInterestedIn(interests, object)).toBe(true);
  expect(interests).toBe(interestsIn(objects.toReversed(), ['namespaces', 'endpointslices']));
});
