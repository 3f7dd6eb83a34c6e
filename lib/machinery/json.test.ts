import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeJson, encodeJson, encodeObject, parseStored } from './json.ts';
import { JsonSyntaxError, parseExact } from './json-parser.ts';
import { clone, equal, type Json, type JsonObject } from './json-value.ts';
import { isFloatAt, literalAt } from './number-literals.ts';

const decode = (text: string, maxDepth?: number) =>
  decodeJson(Buffer.from(text), maxDepth === undefined ? {} : { maxDepth });

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Number.isInteger(n) ? n / 2 ** 970 : n) || 0),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : n)),
  fc.boolean(),
  fc.constant(null),
);
const { anyJson } = fc.letrec<{ anyJson: Json }>((tie) => ({
  anyJson: fc.oneof(
    { depthSize: 'small' },
    scalar as fc.Arbitrary<Json>,
    fc.array(tie('anyJson')),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('anyJson')),
  ),
}));

describe('decodeJson', () => {
  test('decodes what encodeJson wrote, with both parsers', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const bytes = Buffer.from(encodeJson(value));
        expect(equal(decodeJson(bytes).value, value)).toBe(true);
        expect(equal(parseExact(bytes, 100).value, value)).toBe(true);
      }),
    );
  });

  test.each<[string, Json]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9223372036854775808', 9223372036854775808],
    ['[1,-9007199254740993]', [1, -9007199254740993n]],
    ['1.0', 1],
    ['1e3', 1000],
    ['"\\ud800x"', '\ufffdx'],
    ['"\\ud83d\\ude00"', '😀'],
    [' \t\r\n{"a" : [ ] , "b":{}} ', { a: [], b: {} }],
    ['{"uid":"12345678901234567890"}', { uid: '12345678901234567890' }],
  ])('decodes %s', (text, value) => {
    expect(decode(text)).toEqual({ value, duplicates: [] });
  });

  test('replaces invalid UTF-8 in a string with U+FFFD', () => {
    expect(decodeJson(new Uint8Array([0x22, 0xff, 0x22])).value).toBe('\ufffd');
  });

  test('reads a view of a larger buffer only within its bounds', () => {
    expect(decodeJson(Buffer.from('xx{"a":1,"a":2}yy').subarray(2, -2)).value).toEqual({ a: 2 });
  });

  test.each([
    ['{"a":1,"a":2}', ['duplicate field "a"']],
    ['{"a":1,"\\u0061":2,"a":3}', ['duplicate field "a"']],
    ['{"metadata":{"labels":{"x":"1","x":"2"}}}', ['duplicate field "metadata.labels.x"']],
    ['{"l":[{},{"n":[{"a":1,"a":2}]}],"l":1}', ['duplicate field "l[1].n[0].a"', 'duplicate field "l"']],
    ['[[{"a":1,"a":2}]]', ['duplicate field "[0][0].a"']],
    ['{"a":"x:y","b":":"}', []],
    ['{"a":"\\"","b:":"\\\\"}', []],
    ['{"__proto__":1,"__proto__":2}', ['duplicate field "__proto__"']],
  ])('reports the duplicate fields of %s', (text, duplicates) => {
    expect(decode(text).duplicates).toEqual(duplicates);
  });

  test('returns repeated fields in the order of the document', () => {
    const { value, repeated } = decode('[{"b":1,"a":{"c":1},"b":2},{"b":1}]');
    expect(value).toEqual([{ b: 2, a: { c: 1 } }, { b: 1 }]);
    expect([...(repeated?.values() ?? [])]).toEqual([
      [
        ['b', 1],
        ['a', { c: 1 }],
        ['b', 2],
      ],
    ]);
  });

  test('reports at most 100 duplicates', () => {
    const fields = Array.from({ length: 150 }, (_, i) => `"f${i}":0,"f${i}":1`);
    expect(decode(`{${fields.join(',')}}`).duplicates).toHaveLength(100);
  });

  test('treats __proto__ like any other field', () => {
    const { value } = decode('{"__proto__":{"polluted":true},"n":12345678901234567890}');
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
    expect((value as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each([
    ['', 'unexpected end of JSON input'],
    ['  ', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['}', "invalid character '}' looking for beginning of value"],
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{,}', "invalid character ',' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ["'", "invalid character '\\'' looking for beginning of value"],
    ['01', "invalid character '1' after top-level value"],
    ['-', "invalid character ' ' in numeric literal"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['nulL', "invalid character 'L' in literal null (expecting 'l')"],
    ['fx', "invalid character 'x' in literal false (expecting 'a')"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['1e400', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
    ['[1e400}', "invalid character '}' after array element"],
  ])('rejects %j', (text, message) => {
    expect(() => decode(text)).toThrow(new JsonSyntaxError(message));
  });

  test('limits the nesting depth, and rejects a bomb without exhausting the stack', () => {
    expect(decode('[[[]]]', 3).value).toEqual([[[]]]);
    expect(() => decode('[[[]]]', 2)).toThrow("invalid character '[' exceeded max depth");
    expect(() => decode('{"a":'.repeat(200_000))).toThrow("invalid character '{' exceeded max depth");
    expect(decode(`${'['.repeat(1000)}${']'.repeat(1000)}`).duplicates).toEqual([]);
  });
});

describe('encodeJson', () => {
  test.each<[string, Json]>([
    ['{"a":9223372036854775807,"b":[1.5,null,true]}', { a: 9223372036854775807n, b: [1.5, null, true] }],
    ['"\\u003ca\\u003e\\u0026\\u2028"', '<a>&\u2028'],
    ['1e+21', 1e21],
    ['1e-7', 1e-7],
  ])('encodes to %s', (text, value) => {
    expect(encodeJson(value)).toBe(text);
  });
});

describe('encodeObject', () => {
  const encode = (object: JsonObject) => Buffer.from(encodeObject(object)).toString();

  test('writes kind and apiVersion first, and metadata in upstream’s order', () => {
    const object = {
      spec: { x: 1n },
      metadata: { labels: { a: 'b' }, uid: 'u', resourceVersion: '7', name: 'n', other: 1 },
      apiVersion: 'v1',
      kind: 'Pod',
    };
    expect(encode(object)).toBe(
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"n","uid":"u","resourceVersion":"7","labels":{"a":"b"},"other":1},"spec":{"x":1}}',
    );
  });

  test.each<[string, JsonObject, string]>([
    ['no metadata', { kind: 'X' }, '{"kind":"X","metadata":{"resourceVersion":"0"}}'],
    [
      'fields that JavaScript puts first',
      { kind: 'X', 1: { resourceVersion: '5' }, metadata: { 2: { resourceVersion: '6' } } },
      '{"kind":"X","metadata":{"resourceVersion":"0","2":{"resourceVersion":"6"}},"1":{"resourceVersion":"5"}}',
    ],
  ])('encodes an object with %s', (_, object, text) => {
    expect(encode(object)).toBe(text);
  });

  test('round-trips stored values with exact int64s', () => {
    const object = {
      kind: 'X',
      metadata: { resourceVersion: '1' },
      spec: { n: 9007199254740993n, text: '<12345678901234567890>' },
    };
    expect(parseStored(encodeObject(object))).toEqual(object);
  });

  test.each(['hunter2', '{"data":{"password":hunter2}}', ''])(
    'rejects the invalid stored text %j without quoting it',
    (text) => {
      expect(() => parseStored(Buffer.from(text))).toThrow('what is stored is no JSON');
    },
  );
});

describe('number literals', () => {
  const noting = (text: string) => decodeJson(Buffer.from(text), { literals: true });
  const literalOf = (text: string): string | undefined => literalAt(noting(`{"a":${text}}`).value as JsonObject, 'a');

  test.each(['80.0', '8e1', '8E+1', '0.50', '-0.0', '1e3', '1e21', '99999999999999999999', '1.0000000000000001'])(
    'are recorded for %s',
    (text) => {
      expect(noting(`{"a":${text}}`).value).toEqual({ a: Number(text) });
      expect(literalOf(text)).toBe(text);
    },
  );

  test.each(['80', '0.5', '-1.25', '9007199254740993', '1e+21', '1e-7'])('are not recorded for %s', (text) => {
    expect(literalOf(text)).toBeUndefined();
  });

  test('are recorded in lists, for the last of repeated fields, and in clones', () => {
    const { value } = noting('{"l":[1,2.0,"3.0"],"a":4.0,"b":5,"a":4,"b":5.0}');
    const copy = clone(value as JsonObject);
    expect([0, 1, 2].map((i) => literalAt(copy['l'] as Json[], i))).toEqual([undefined, '2.0', undefined]);
    expect(['a', 'b'].map((field) => isFloatAt(copy, field))).toEqual([false, true]);
  });

  test('are recorded for every repeated field', () => {
    const { repeated } = noting('{"a":4.0,"b":1,"a":4}');
    const entries = [...(repeated?.values() ?? [])].flat();
    expect(entries.map((entry) => literalAt(entry, 1))).toEqual(['4.0', undefined, undefined]);
  });

  test('are not recorded unless requested', () => {
    const { value } = decode('{"a":80.0,"b":9007199254740993}');
    expect(literalAt(value as JsonObject, 'a')).toBeUndefined();
  });
});
