import { expect, test } from 'vitest';
import type { Device } from '#lib/api/types/resource.v1.ts';
import { deviceMatches } from './device-matches.ts';

const DRIVER = 'dra.example.com';
const device: Device = {
  name: 'd',
  attributes: {
    model: { string: 'A100' },
    'other.example.com/healthy': { bool: true },
    cores: { int: 6912 },
    driverVersion: { version: '1.2.3' },
  },
  capacity: { memory: { value: '40Gi' } },
};
const A = `device.attributes["${DRIVER}"]`;
const C = `device.capacity["${DRIVER}"]`;

test.each<[string, boolean]>([
  [`device.driver == "${DRIVER}"`, true],
  [`device.driver == "x"`, false],
  [`${A}.model == "A100"`, true],
  [`${A}.cores > 6000`, true],
  ['device.attributes["other.example.com"].healthy', true],
  [`${A}.driverVersion.isGreaterThan(semver("1.2.0"))`, true],
  [`${C}.memory.compareTo(quantity("40Gi")) == 0`, true],
  [`${C}.memory.isGreaterThan(quantity("80Gi"))`, false],
  [`"${DRIVER}" in device.attributes`, true],
  ['"x.example.com" in device.attributes', false],
  ['"y" in device.attributes["x.example.com"]', false],
  [`cel.bind(dra, ${A}, dra.model == "A100" && dra.cores == 6912)`, true],
  ['device.allowMultipleAllocations', false],
])('evaluates the selector %s to %s', (expression, expected) =>
  expect(deviceMatches(expression, DRIVER, device)).toBe(expected),
);

test.each([
  ['device.attributes["x.example.com"].y', 'CEL runtime error: no such key: y'],
  [`${A}.model`, 'CEL runtime error: CEL result of type string could not be converted to bool'],
  ['?!', 'CEL compile error: compilation failed'],
])('reports the error of the selector %s', (expression, error) => {
  expect(deviceMatches(expression, DRIVER, device)).toEqual({ error: expect.stringContaining(error) });
});
