import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CompileError, compile } from '../compile.ts';
import { environment } from '../environment.ts';
import { optional } from '../stdlib/optional.ts';
import { standard } from '../stdlib/standard.ts';
import { intType, stringType } from '../types/type.ts';
import { parse } from './parser.ts';

const env = environment({ libraries: [standard, optional], variables: { x: intType, s: stringType } });

function faultOf(text: string): string {
  const result = compile(text, env);
  return result instanceof CompileError ? result.message : 'none';
}

describe("syntax errors with cel-go's text", () => {
  const start =
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
  test.each([
    ['x >', `1:4: Syntax error: mismatched input '<EOF>' expecting ${start}\n | x >\n | ...^`],
    ['1 + * 2', `1:5: Syntax error: extraneous input '*' expecting ${start}\n | 1 + * 2\n | ....^`],
    ["s.contains('x'", "1:15: Syntax error: missing ')' at '<EOF>'\n | s.contains('x'\n | ..............^"],
    ['x! == 1', "1:2: Syntax error: mismatched input '!' expecting <EOF>\n | x! == 1\n | .^"],
    ['x @', "1:3: Syntax error: token recognition error at: '@'\n | x @\n | ..^"],
    ['x.true', "1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER\n | x.true\n | ..^"],
    ['has(x)', '1:5: invalid argument to has() macro\n | has(x)\n | ....^'],
    ['99999999999999999999', '1:1: invalid int literal\n | 99999999999999999999\n | ^'],
    ['while', '1:1: reserved identifier: while\n | while\n | ^'],
    ["'é' > x", "1:5: found no matching overload for '_>_' applied to '(string, int)'\n | 'é' > x\n | .．..^"],
    ['y', "1:1: undeclared reference to 'y' (in container '')\n | y\n | ^"],
    [
      'x.all(e, true)',
      "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | x.all(e, true)\n | ^",
    ],
    ['timestamp(-62135596801)', '1:11: invalid timestamp argument\n | timestamp(-62135596801)\n | ..........^'],
    ["s.matches('([')", "1:11: invalid matches argument\n | s.matches('([')\n | ..........^"],
  ])('reports the error of %s', (text, fault) => {
    expect(faultOf(text)).toBe(`ERROR: <input>:${fault}`);
  });
});

describe('limits of expressions', () => {
  test.each([
    ['parentheses', `${'('.repeat(251)}x${')'.repeat(251)}`],
    ['sums in parentheses', `${'(1+'.repeat(125)}1${')'.repeat(125)}`],
    ['conditionals', `${'true?1:'.repeat(251)}1`],
  ])('limits the size: %s', (_, text) => {
    expect(faultOf(text)).toBe('ERROR: <input>:-1:0: expression recursion limit exceeded: 250');
  });

  test.each([
    ['selections', `x${'.a'.repeat(251)}`],
    ['indexes', `x${'[0]'.repeat(251)}`],
    ['sums', `x${'+x'.repeat(251)}`],
    ['comparisons of sums', `x${'+x'.repeat(125)}${' == x'.repeat(126)}`],
    ['selections in an argument of a sum', `1 + size(x${'.a'.repeat(250)})`],
    ['selections of a literal in parentheses', `((x${'.a'.repeat(200)})${'.a'.repeat(51)})`],
    ['a very long sum', `x${'+x'.repeat(40_000)}`],
  ])('limits the depth: %s', (_, text) => {
    expect(faultOf(text)).toBe('ERROR: <input>:-1:0: max recursion depth exceeded');
  });

  test.each([
    ['sums', `x${'+x'.repeat(250)}`],
    ['operands beside one another', `[x${'+x'.repeat(200)}, x${'+x'.repeat(200)}].size()`],
    ['sums in parentheses', `${'(1+'.repeat(124)}1${')'.repeat(124)}`],
    ['conjunctions', `true${' && true'.repeat(1000)}`],
  ])('accepts the maximum depth: %s', (_, text) => {
    expect(parse(text, env).issues).toEqual([]);
  });

  test('limits the length of an expression', () => {
    const fault = 'expression code point size exceeds limit: size: 100001, limit 100000';
    expect(faultOf(' '.repeat(100_001))).toBe(`ERROR: <input>:-1:0: ${fault}`);
  });

  test('limits macros that copy their target', () => {
    const text = `optional.of(1)${'.optMap(y, {y: y})'.repeat(100)}`;
    expect(faultOf(text)).toBe('ERROR: <input>:-1:0: expression node limit exceeded: 100000');
  });
});

const pieces = fc.constantFrom(
  ...'x s 1 2u 1.5 "a" b\'c\' true null in ( ) [ ] { } . , : ? + - * / % ! == != < <= && || has map all a.b @ ` ~ \\ """'.split(
    ' ',
  ),
);

test('parses any text, or rejects it with a position', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { issues } = parse(text, env);
      expect(issues.every(({ offset }) => offset >= -1 && offset <= text.length)).toBe(true);
      expect(typeof faultOf(text)).toBe('string');
    }),
    { numRuns: 500 },
  );
});

test('parses printed literals to the same values', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.string(), (int, text) => {
      expect(parse(String(int), env).expr).toMatchObject({ kind: 'literal', value: int });
      const quoted = `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
      expect(parse(quoted, env).expr).toMatchObject({ kind: 'literal', value: text });
    }),
    { numRuns: 200 },
  );
});
