import { expect, test } from 'vitest';
import { isOfOtherMachine, machineIdentityText } from './machine-identity.ts';

const HERE = { machineID: 'm1', systemUUID: 's1' };
const textOf = (machineID: string, systemUUID: string): string => machineIdentityText({ machineID, systemUUID });

test.each<[string, string | undefined, boolean]>([
  ['without a file', undefined, false],
  ['with a truncated file', '{"machineID":', false],
  ['with an invalid file', '[]', false],
  ['after a reboot', textOf('m1', 's1'), false],
  ['in a copied virtual machine', textOf('m1', 's2'), true],
  ['in a copy with its own machine id', textOf('m2', 's1'), true],
  ['with hardware that had no UUID', textOf('m1', ''), false],
])('checks for a copied disk %s', (_, text, expected) => {
  expect(isOfOtherMachine(text, HERE)).toBe(expected);
});

test('ignores hardware without a UUID', () => {
  expect(isOfOtherMachine(textOf('m1', 's1'), { machineID: 'm1', systemUUID: '' })).toBe(false);
});
