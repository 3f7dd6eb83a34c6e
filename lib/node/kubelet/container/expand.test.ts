import { expect, test } from 'vitest';
import { expand, expandCommandAndArgs, expandSubPath, mappingOf } from './expand.ts';

const first = new Map([
  ['VAR_A', 'A'],
  ['VAR_B', 'B'],
  ['VAR_C', 'C'],
  ['VAR_REF', '$(VAR_A)'],
  ['VAR_EMPTY', ''],
]);

test.each([
  ['$(VAR_A)', 'A'],
  ['___$(VAR_B)___', '___B___'],
  ['$(VAR_A)$(VAR_B)', 'AB'],
  ['$(VAR_REF)', '$(VAR_A)'],
  ['%%$(VAR_REF)', '%%$(VAR_A)'],
  ['f000-$VAR_A', 'f000-$VAR_A'],
  ['foo\\$(VAR_C)bar', 'foo\\Cbar'],
  ['foo$$(VAR_C)bar', 'foo$(VAR_C)bar'],
  ['foo$$$(VAR_A)bar', 'foo$Abar'],
  ['foo$$$$(VAR_C)bar', 'foo$$(VAR_C)bar'],
  ['$(VAR_A', '$(VAR_A'],
  ['$VAR_A)', '$VAR_A)'],
  ['${VAR_A}', '${VAR_A}'],
  ['$(VAR_DNE)', '$(VAR_DNE)'],
  ['$()', '$()'],
  ['$(VAR_EMPTY)x', 'x'],
  ['$', '$'],
  ['$$', '$'],
  ['ab$', 'ab$'],
  ['$($(VAR_A)--', '$($(VAR_A)--'],
  ['$(VAR_A)(', 'A('],
  ['$?-\n$a', '$?-\n$a'],
  ['$(VAR_\nA)', '$(VAR_\nA)'],
])('expands %j to %j', (input, expected) => {
  expect(expand(input, mappingOf(first))).toBe(expected);
});

test('uses the value from the first map that has the variable', () => {
  expect(
    expand(
      '$(VAR_A) $(X)',
      mappingOf(
        first,
        new Map([
          ['VAR_A', 'other'],
          ['X', 'x'],
        ]),
      ),
    ),
  ).toBe('A x');
});

test('expands command and arguments with the environment', () => {
  const envs = [{ name: 'A', value: '1' }];
  expect(expandCommandAndArgs({ command: ['$(A)'], args: ['$(B)', '$$(A)'] }, envs)).toEqual({
    command: ['1'],
    args: ['$(B)', '$(A)'],
  });
});

test('reports the missing variables of a subPathExpr', () => {
  const mount = { name: 'v', mountPath: '/v' };
  const envs = [
    { name: 'A', value: '1' },
    { name: 'EMPTY', value: '' },
  ];
  expect(expandSubPath({ ...mount, subPathExpr: 'x/$(A)' }, envs)).toBe('x/1');
  expect(() => expandSubPath({ ...mount, subPathExpr: '$(Z)/$(EMPTY)' }, envs)).toThrow('missing value for EMPTY, Z');
});
