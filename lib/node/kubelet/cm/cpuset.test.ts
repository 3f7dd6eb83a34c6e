import { expect, test } from 'vitest';
import { CPUSet, parseCPUSet } from './cpuset.ts';

test.each([
  ['', []],
  ['5', [5]],
  ['0-3,8', [0, 1, 2, 3, 8]],
  ['1-1,3,2', [1, 2, 3]],
])('parses %j as the set %j', (text, cpus) => {
  expect(parseCPUSet(text).list()).toEqual(cpus);
});

test.each([
  ['a', 'strconv.Atoi: parsing "a": invalid syntax'],
  ['1,', 'strconv.Atoi: parsing "": invalid syntax'],
  ['1-2-3', 'strconv.Atoi: parsing "2-3": invalid syntax'],
  ['3-1', 'invalid range "3-1" (3 > 1)'],
  ['0-99999999', 'strconv.Atoi: parsing "99999999": value out of range'],
])('rejects %j with: %s', (text, message) => {
  expect(() => parseCPUSet(text)).toThrow(message);
});

test('formats a set as ranges', () => {
  expect(String(new CPUSet([8, 2, 0, 1, 10, 11]))).toBe('0-2,8,10-11');
  expect(String(new CPUSet())).toBe('');
});

test('combines sets without changing them', () => {
  const [a, b] = [new CPUSet([1, 2]), new CPUSet([2, 3])];
  expect([a.union(b), a.intersection(b), a.difference(b), a].map(String)).toEqual(['1-3', '2', '1', '1-2']);
  expect(a.equals(new CPUSet([2, 1]))).toBe(true);
  expect(a.equals(b)).toBe(false);
});
