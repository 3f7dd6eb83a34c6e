import { expect, test } from 'vitest';
import { hashContainer } from './hash.ts';

test('computes the same hash for a container as kubelets since 1.31', () => {
  expect(hashContainer({ name: 'test_container', image: 'foo/image:v1' })).toBe('8e45cbd0');
});

test('only uses the name and image for the hash', () => {
  const hashes = [{ name: 'a' }, { name: 'b' }, { name: 'a', image: 'x' }, { name: 'a', image: 'x<' }].map(
    hashContainer,
  );
  expect(new Set(hashes).size).toBe(4);
});
