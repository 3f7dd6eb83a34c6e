import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equal, type Json, type JsonObject, objectAt } from './json-value.ts';
import { decodeYaml, encodeYaml, YamlError } from './yaml.ts';

const decode = (text: string): Json => decodeYaml(Buffer.from(text)).value;
const awkward = fc.array(
  fc.constantFrom('a', '1', ' ', '\n', ':', '#', '-', '?', '"', "'", '{', '\t', 'é', '😀', '\u0001', '<', 'n'),
  {
    maxLength: 6,
  },
);
const text = fc.oneof(
  awkward.map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme' }).map((value) => value.toWellFormed()),
  fc.lorem({ mode: 'sentences' }),
  fc.constantFrom('yes', 'NO', '~', '0x1f', '1_000', '1e3', '2001-01-01', '1:30', '<<', '.inf', ''),
);
const { anyJson } = fc.letrec<{ anyJson: Json }>((tie) => ({
  anyJson: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Math.abs(n) < 2 ** 53 ? n : 1) || 0),
    fc.constantFrom(true, false, null, 2 ** 53 - 1, 9007199254740993n, -(2n ** 63n)),
    fc.array(tie('anyJson')),
    fc.dictionary(text, tie('anyJson')),
  ) as fc.Arbitrary<Json>,
}));

describe('decoding and encoding of YAML', () => {
  test('decodes YAML that it encoded to the same value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(equal(decode(encodeYaml(value)), value)).toBe(true);
      }),
    );
  });

  test.each<[string, Json]>([
    ['', null],
    ['a: 1\n---\nb: [', { a: 1 }],
    ['- a\n- b', ['a', 'b']],
    ['1: x\n1.5: z\nyes: q', { 1: 'x', 1.5: 'z', true: 'q' }],
    [
      'a: 010\nb: 0x1F\nc: 1_000\nd: 1e3\ne: .5\nf: 2001-01-01\ng: 0b11',
      { a: 8, b: 31, c: 1000, d: 1000, e: 0.5, f: '2001-01-01', g: 3 },
    ],
    ['- y\n- Off\n- "no"\n- ~\n- 1:30\n- 1e400\n- -0', [true, false, 'no', null, '1:30', '1e400', 0]],
    ['- !!str 1\n- !!int "2"\n- !!binary aGk=\n- !foo x\n- !!float 1', ['1', 2, 'hi', 'x', 1]],
    ['a: &x {b: 1}\nc: {<<: *x, d: 2}', { a: { b: 1 }, c: { b: 1, d: 2 } }],
    ['a: &x 1\nb: &x 2\nc: *x', { a: 1, b: 2, c: 2 }],
    ['a: |\n  x\n  y\nb: >\n  p\n  q\n', { a: 'x\ny\n', b: 'p q\n' }],
    ['{"json": [1, {"a": null}]}', { json: [1, { a: null }] }],
    ['a: 9223372036854775807', { a: 9223372036854775807n }],
    ['{?b: 1}', { b: 1 }],
    ['[a] b', ['a']],
    ['a: ?b\nc: -d\ne: :f', { a: '?b', c: '-d', e: ':f' }],
    ['[a: b, ? c, {d, e: }]', [{ a: 'b' }, { c: null }, { d: null, e: null }]],
    ['? a\n: - b\n  - c\n? d', { a: ['b', 'c'], d: null }],
    ['a:\n- b\n-\n- c: d\n  e: f', { a: ['b', null, { c: 'd', e: 'f' }] }],
    ["a: x\n  y\n\n  z # c\nb: \"p\\\n  q\\x41\\u00e9\"\nc: 'it''s\n  so'", { a: 'x y\nz', b: 'pqAé', c: "it's so" }],
    ['a: |2-\n    x\n   y\n\nb: >+\n  p\n   q\n  r\n\n', { a: '  x\n y', b: 'p\n q\nr\n\n' }],
    [
      '%YAML 1.1\n%TAG !t! tag:yaml.org,2002:\n--- # c\na: !t!str 1\nb: !<tag:yaml.org,2002:int> "2"\n...\n]',
      { a: '1', b: 2 },
    ],
    ['a: &x\n  b: c\nd:\n  <<: [*x, {e: f}]\n', { a: { b: 'c' }, d: { b: 'c', e: 'f' } }],
    ['a\r\n b\u0085 c', 'a b c'],
  ])('decodes the text %j', (source, value) => {
    expect(decode(source)).toEqual(value);
  });

  test('treats __proto__ as an ordinary field', () => {
    expect(Object.hasOwn(decode('__proto__: {polluted: true}') as object, '__proto__')).toBe(true);
  });

  test('reports repeated keys together, and the last one wins', () => {
    expect(decodeYaml(Buffer.from('a: 1\na: 2\nb:\n  c: 1\n  c: 2\ntrue: 1\nyes: 2'))).toEqual({
      value: { a: 2, b: { c: 2 }, true: 2 },
      duplicates: [
        'yaml: unmarshal errors:\n  line 2: key "a" already set in map\n  line 5: key "c" already set in map\n  line 7: key true already set in map',
      ],
    });
  });

  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 9; i++) bomb.push(`a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ')}]`);
  const chain = ['a0: &a0 [x]'];
  for (let i = 1; i < 40; i++) chain.push(`a${i}: &a${i} ${'['.repeat(50)}*a${i - 1}${']'.repeat(50)}`);

  test.each([
    ['a: 1\nb: [1,2\nc: 3\n', "yaml: line 2: did not find expected ',' or ']'"],
    ['{a: b\n', "yaml: line 1: did not find expected ',' or '}'"],
    ['[', 'yaml: line 1: did not find expected node content'],
    ['{', 'yaml: line 1: did not find expected node content'],
    ['x: [', 'yaml: line 1: did not find expected node content'],
    ['a:\n- [1,\n', 'yaml: line 2: did not find expected node content'],
    ['{a:', 'yaml: line 1: did not find expected node content'],
    ['a: b: c\n', 'yaml: mapping values are not allowed in this context'],
    ['a: 1\n b: 2', 'yaml: line 2: mapping values are not allowed in this context'],
    ['\ta: 1', 'yaml: found character that cannot start any token'],
    ['a: @x', 'yaml: found character that cannot start any token'],
    ['a: "x', 'yaml: found unexpected end of stream'],
    ['a: 1\nmeta', "yaml: line 3: could not find expected ':'"],
    ['}', 'yaml: did not find expected node content'],
    ['a: *x', "yaml: unknown anchor 'x' referenced"],
    ['a: &a [*a]', "yaml: anchor 'a' value contains itself"],
    ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
    ['~: x', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
    ['~: ', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: <nil>'],
    [
      '? [a, ~, {b: 1.5}]\n: x',
      'yaml: invalid map key: []interface {}{"a", interface {}(nil), map[interface {}]interface {}{"b":1.5}}',
    ],
    ['a: .inf', 'json: unsupported value: +Inf'],
    ['a: {<<: 1}', 'yaml: map merge requires map or sequence of maps as the value'],
    ['a: \u0001', 'yaml: control characters are not allowed'],
    ['a: b\n- c', 'yaml: line 1: did not find expected key'],
    ['- a\nb', "yaml: line 3: could not find expected ':'"],
    ['a: - b', 'yaml: block sequence entries are not allowed in this context'],
    ['a: ? b', 'yaml: mapping keys are not allowed in this context'],
    ['- a\n -b: c', 'yaml: line 2: mapping values are not allowed in this context'],
    ['- - a\n  b: c', "yaml: line 1: did not find expected '-' indicator"],
    ['a: |x', 'yaml: did not find expected comment or line break'],
    ['a: |0', 'yaml: found an indentation indicator equal to 0'],
    ['a: |\n\tb', 'yaml: line 2: found a tab character where an indentation space is expected'],
    ['a: b\n\tc', 'yaml: line 2: found a tab character that violates indentation'],
    ['a: "\\q"', 'yaml: found unknown escape character'],
    ['{"a": "\\/"}', 'yaml: found unknown escape character'],
    ['{"a"\n: 1}', "yaml: line 1: did not find expected ',' or '}'"],
    ['a: "\\x4"', 'yaml: did not find expected hexdecimal number'],
    ['a: "\\ud800"', 'yaml: found invalid Unicode character escape code'],
    ['a: "b\n--- c', 'yaml: line 2: found unexpected document indicator'],
    ['a: &', 'yaml: did not find expected alphabetic or numeric character'],
    ['a: !x!y z', 'yaml: found undefined tag handle'],
    ['a: !%zz', 'yaml: did not find URI escaped octet'],
    ['a: !<b', "yaml: did not find the expected '>'"],
    ['a: !{', 'yaml: did not find expected whitespace or line break'],
    ['%FOO x', 'yaml: found unknown directive name'],
    ['%YAML 1.2\n---', 'yaml: found incompatible YAML document'],
    ['%YAML 1.1\n%YAML 1.1\n---', 'yaml: line 1: found duplicate %YAML directive'],
    ['%YAML 1.1\na', 'yaml: line 1: did not find expected <document start>'],
    ['%YAML x', 'yaml: did not find expected version number'],
    ['a: !!binary x', 'yaml: !!binary value contains invalid base64 data'],
    ['a: *b\nc: [', "yaml: unknown anchor 'b' referenced"],
    ['a: \u0080', 'yaml: control characters are not allowed'],
    [bomb.join('\n'), 'yaml: document contains excessive aliasing'],
    [chain.join('\n'), 'yaml: exceeded max depth of 10000'],
    ['['.repeat(100_000), 'yaml: exceeded max depth of 10000'],
    ['- '.repeat(20_000), 'yaml: exceeded max depth of 10000'],
    ['{a: '.repeat(100_000), 'yaml: exceeded max depth of 10000'],
    ['{"a":'.repeat(100_000), 'yaml: exceeded max depth of 10000'],
    [`[${'&a '.repeat(50_000)}`, "yaml: did not find expected ',' or ']'"],
    [`[${'!!a '.repeat(500_000)}`, "yaml: did not find expected ',' or ']'"],
    ['*a '.repeat(50_000), "yaml: unknown anchor 'a' referenced"],
    ['a: b\n'.repeat(600_000), 'yaml: document is too large; JSON may be larger'],
    [`a: |\n${'  b\n'.repeat(600_000)}`, 'yaml: document is too large; JSON may be larger'],
  ])('rejects the text %.20j', (source, message) => {
    expect(() => decode(source)).toThrow(new YamlError(message));
  });

  test.each([
    ['within the limit', 90, undefined],
    ['beyond the limit', 200, 'yaml: document contains excessive aliasing'],
  ])('limits a merge of merges %s', (_name, count, message) => {
    const merges = Array.from({ length: count }, (_, i) => `a${i + 1}: &a${i + 1} {<<: *a${i}, k${i}: 1}`);
    const source = `a0: &a0 {x: 1}\n${merges.join('\n')}`;
    if (message === undefined)
      expect(Object.keys(objectAt(decode(source) as JsonObject, `a${count}`) ?? {})).toHaveLength(count + 1);
    else expect(() => decode(source)).toThrow(message);
  });

  test.each([
    ['texts', 3, undefined],
    ['texts', 4, 'yaml: document contains excessive aliasing'],
    ['keys', 3, undefined],
    ['keys', 4, 'yaml: document contains excessive aliasing'],
  ])('limits a megabyte of %s that aliases repeat %i times', (kind, times, message) => {
    const long = 'x'.repeat((1 << 20) - 1);
    const source =
      kind === 'texts'
        ? `a: &a ${long}\nb: [${'*a,'.repeat(times)}]`
        : `a: &a {? ${long}\n: 1}\nb:\n${'- {<<: *a}\n'.repeat(times)}`;
    if (message === undefined) expect(decode(source)).toHaveProperty('b.length', times);
    else expect(() => decode(source)).toThrow(message);
  });

  test('ignores all documents after the first', () => {
    expect(decode(`a: b\n${'---\nx: y\n'.repeat(300_000)}`)).toEqual({ a: 'b' });
  });

  test('rejects invalid UTF-8', () => {
    expect(() => decodeYaml(new Uint8Array([0x61, 0xff]))).toThrow('yaml: invalid leading UTF-8 octet');
  });

  const long = 'word '.repeat(20).trim();
  test.each<[string, Json, string]>([
    ['fields in natural order', { a10: 1, a9: 2, B: 3, '1': 4 }, '"1": 4\nB: 3\na9: 2\na10: 1\n'],
    ['lists under their field', { a: [1, { b: [], c: {} }, [2]] }, 'a:\n- 1\n- b: []\n  c: {}\n- - 2\n'],
    ['several lines', { a: 'x\ny\n', b: ' x\n', c: 'x \ny' }, 'a: |\n  x\n  y\nb: |2\n   x\nc: "x \\ny"\n'],
    ['quotes', ['yes', '1', '- x', "it's: x", 'a\tb'], '- "yes"\n- "1"\n- \'- x\'\n- \'it\'\'s: x\'\n- "a\\tb"\n'],
    ['a long line', { a: long }, `a: ${long.slice(0, 79)}\n  ${long.slice(80)}\n`],
    ['numbers', [1.5, 1e21, 0.00001, 1234567.5], '- 1.5\n- 1e+21\n- 1e-05\n- 1.2345675e+06\n'],
  ])('writes a document with %s', (_, value, expected) => {
    expect(encodeYaml(value)).toBe(expected);
  });
});
