import { expect, test } from 'vitest';
import { isOfOtherMachine, machineIdentityText } from './machine-identity.ts';

const HERE = { machineID: 'm1', systemUUID: 's1' };
const textOf = (machineID: string, systemUUID: string): string => machineIdentityText({ machineID, systemUUID });

test.each<[string, string | undefined, boolean]>([
  ['without a file', undefined, false],
  ['with half a file', '{"machineID":', false],
  ['with a file that is no object', '[]', false],
  ['after a reboot', textOf('m1', 's1'), false],
  ['in a copied virtual machine', textOf('m1', 's2'), true],
  ['in a copy with a machine id of its own', textOf('m2', 's1'), true],
  ['where the hardware had no UUID', textOf('m1', ''), false],
])('the disk %s', (_, text, expected) => {
  expect(isOfOtherMachine(text, HERE)).toBe(expected);
});

test('hardware without a UUID tells nothing', () => {
  expect(isOfOtherMachine(textOf('m1', 's1'), { machineID: 'm1', systemUUID: '' })).toBe(false);
});
