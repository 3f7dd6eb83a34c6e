import { expect, test } from 'vitest';
import { hashContainer } from './hash.ts';

test('a container has the hash that kubelets since 1.31 give it', () => {
  expect(hashContainer({ name: 'test_container', image: 'foo/image:v1' })).toBe('8e45cbd0');
});

test('name and image decide the hash', () => {
  const hashes = [{ name: 'a' }, { name: 'b' }, { name: 'a', image: 'x' }, { name: 'a', image: 'x<' }].map(
    hashContainer,
  );
  expect(new Set(hashes).size).toBe(4);
});
