import { expect, test } from 'vitest';
import { compileSelector } from './compile.ts';

const A = 'device.attributes["dra.example.com"]';
const C = 'device.capacity["dra.example.com"]';
const ten = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]';
const nested = ['x', 'y', 'z', 'z2', 'z3', 'z4', 'z5'].reduceRight(
  (inner, name) => `${ten}.all(${name}, ${inner})`,
  `int('1'.find('[0-9]*')) < 100`,
);

test.each([
  ['device.driver == "dra.example.com"', 4],
  ['"dra.example.com" in device.attributes', 3],
  [`${A}.name`, 4],
  [`${A}["name"]`, 4],
  [`cel.bind(dra, ${A}, dra.name)`, 15],
  [`${A}.name > 0`, 5],
  [`${A}.name == "fish"`, 5],
  [`${A}.name.isGreaterThan(semver("0.0.1"))`, 6],
  [`${C}.name.isGreaterThan(quantity("1Ki"))`, 6],
  [`"name" in ${C} && ${C}.name.isGreaterThan(quantity("1Ki"))`, 10],
  [`!("name" in ${C}) || ${C}.name.isGreaterThan(quantity("1Ki"))`, 11],
  [`${A}.a && ${A}.b && ${A}.c`, 12],
  ['device.attributes.exists_one(x, x == "dra.example.com")', 164],
  [`${A}.exists_one(x, x == "services")`, 133],
  [`${A}.services.split("example").size() >= 2`, 19],
  [`${A}.services.matches("[^a]?sym")`, 18],
  ['device.capacity.exists_one(x, x == "dra.example.com")', 164],
  ['device.allowMultipleAllocations == true', 3],
  [nested, 85_555_551],
])('estimates the cost of %s at most as upstream', (expression, maxCost) => {
  expect(compileSelector(expression)).toMatchObject({ maxCost });
});

test.each([
  ['?!', 'compilation failed: ERROR: <input>:1:1: Syntax error'],
  ['1', 'must evaluate to bool or the unknown type, not int'],
  ['device.capacity', 'must evaluate to bool or the unknown type, not map(string, map(string, kubernetes.Quantity))'],
  ['dyn(true)', 'must evaluate to bool or the unknown type, not dyn'],
  ['device.name == ""', "undefined field 'name'"],
  [`${A}.name.includes("a")`, "undeclared reference to 'includes'"],
])('rejects the selector %s', (expression, error) => {
  expect(compileSelector(expression)).toEqual({ error: expect.stringContaining(error) });
});
