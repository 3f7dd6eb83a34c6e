import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StatusError } from '#lib/machinery/errors.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { literalAt } from '#lib/machinery/number-literals.ts';
import { applyJsonPatch, decodeJsonPatch, jsonPatchFaults } from './json-patch.ts';

const run = (document: Json, patch: Json): Json => applyJsonPatch(document, decodeJsonPatch(patch));

const refusal = (document: Json, patch: Json): StatusError => {
  try {
    run(document, patch);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('the patch applied');
};

describe('operations of JSON patches', () => {
  test.each<[string, Json, Json, Json]>([
    ['A.1 adds a member', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
    ['A.2 adds an element', { a: ['b', 'c'] }, [{ op: 'add', path: '/a/1', value: 'q' }], { a: ['b', 'q', 'c'] }],
    ['A.3 removes a member', { baz: 'q', foo: 1 }, [{ op: 'remove', path: '/baz' }], { foo: 1 }],
    ['A.4 removes an element', { a: [1, 2, 3] }, [{ op: 'remove', path: '/a/1' }], { a: [1, 3] }],
    ['A.5 replaces a value', { baz: 'q' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo' }],
    [
      'A.6 moves a value',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    ['A.7 moves an element', { a: [1, 2, 3, 4] }, [{ op: 'move', from: '/a/1', path: '/a/3' }], { a: [1, 3, 4, 2] }],
    ['A.8 tests a value', { a: ['a', 2] }, [{ op: 'test', path: '/a/1', value: 2 }], { a: ['a', 2] }],
    ['A.10 adds a nested member', {}, [{ op: 'add', path: '/c', value: { g: {} } }], { c: { g: {} } }],
    ['A.11 ignores unknown members', {}, [{ op: 'add', path: '/b', value: 1, xyz: 123 }], { b: 1 }],
    ['A.14 unescapes ~0 and ~1', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    ['A.16 appends an array', { a: ['b'] }, [{ op: 'add', path: '/a/-', value: ['c'] }], { a: ['b', ['c']] }],
    ['no operations', { a: 1 }, [], { a: 1 }],
    ['null is an empty patch', { a: 1 }, null, { a: 1 }],
    ['copies', { a: { b: 1 } }, [{ op: 'copy', from: '/a', path: '/c' }], { a: { b: 1 }, c: { b: 1 } }],
    ['copies null of an absent member', {}, [{ op: 'copy', from: '/a', path: '/c' }], { c: null }],
    ['adds over a member', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['adds null without a value', {}, [{ op: 'add', path: '/a' }], { a: null }],
    ['adds at -1 at the end', { a: [1] }, [{ op: 'add', path: '/a/-1', value: 2 }], { a: [1, 2] }],
    ['adds at -2 before the last', { a: [1] }, [{ op: 'add', path: '/a/-2', value: 0 }], { a: [0, 1] }],
    ['removes at -1', { a: [1, 2] }, [{ op: 'remove', path: '/a/-1' }], { a: [1] }],
    ['replaces at -2', { a: [1, 2] }, [{ op: 'replace', path: '/a/-2', value: 9 }], { a: [9, 2] }],
    ['reads +1 and 01 as 1', { a: [1, 2] }, [{ op: 'test', path: '/a/+1', value: 2 }], { a: [1, 2] }],
    ['replaces an absent member by adding', {}, [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
    ['replaces the document', { a: 1 }, [{ op: 'replace', path: '', value: { b: 2 } }], { b: 2 }],
    ['replaces the document by an array', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
    ['tests the document', { a: 1 }, [{ op: 'test', path: '', value: { a: 1 } }], { a: 1 }],
    ['tests an absent member for null', {}, [{ op: 'test', path: '/a', value: null }], {}],
    ['tests an absent member without a value', {}, [{ op: 'test', path: '/a' }], {}],
    ['skips what stands before the first slash', {}, [{ op: 'add', path: 'zzz/a', value: 1 }], { a: 1 }],
    ['an empty name is a name', {}, [{ op: 'add', path: '/', value: 1 }], { '': 1 }],
    [
      'tests objects in any order',
      { a: { x: 1, y: 2 } },
      [{ op: 'test', path: '/a', value: { y: 2, x: 1 } }],
      { a: { x: 1, y: 2 } },
    ],
  ])('applies %s', (_, document, patch, expected) => {
    expect(run(document, patch)).toEqual(expected);
  });

  test('treats __proto__ like any other member', () => {
    const patched = run({}, [{ op: 'add', path: '/__proto__', value: { x: 1 } }]);
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"x":1}}');
    expect(refusal({}, [{ op: 'add', path: '/constructor/x', value: 1 }]).cause).toContain('missing path');
  });
});

describe('errors of JSON patches', () => {
  const at = "error in add for path: '/a/5': Unable to access invalid index: 5: invalid index referenced";
  const copied =
    'Unable to complete the copy, the accumulated size increase of copy is 3145730, exceeding the limit 3145728';
  test.each<[Json, Json, string]>([
    [{}, [{ op: 'nope', path: '/a' }], 'Unexpected kind: nope'],
    [{}, [{ path: '/a' }], 'Unexpected kind: unknown'],
    [{}, [null], 'Unexpected kind: unknown'],
    [
      {},
      [{ op: 'add', path: '/a/b', value: 1 }],
      'add operation does not apply: doc is missing path: "/a/b": missing value',
    ],
    [{}, [{ op: 'add', path: '', value: 1 }], 'add operation does not apply: doc is missing path: "": missing value'],
    [{}, [{ op: 'add', value: 1 }], 'add operation failed to decode path: missing value'],
    [
      { a: 's' },
      [{ op: 'add', path: '/a/b' }],
      'add operation does not apply: doc is missing path: "/a/b": missing value',
    ],
    [{ a: [1] }, [{ op: 'add', path: '/a/5', value: 1 }], at],
    [
      { a: [1] },
      [{ op: 'add', path: '/a/-3', value: 1 }],
      "error in add for path: '/a/-3': Unable to access invalid index: -3: invalid index referenced",
    ],
    [
      { a: [1] },
      [{ op: 'add', path: '/a/x', value: 1 }],
      `error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
    ],
    [{}, [{ op: 'remove' }], 'remove operation failed to decode path: missing value'],
    [
      {},
      [{ op: 'remove', path: '/a/b' }],
      'remove operation does not apply: doc is missing path: "/a/b": missing value',
    ],
    [
      {},
      [{ op: 'remove', path: '/a' }],
      "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value",
    ],
    [
      { a: [] },
      [{ op: 'remove', path: '/a/0' }],
      "error in remove for path: '/a/0': Unable to access invalid index: 0: invalid index referenced",
    ],
    [
      { a: [] },
      [{ op: 'remove', path: '/a/99999999999999999999' }],
      `error in remove for path: '/a/99999999999999999999': strconv.Atoi: parsing "99999999999999999999": value out of range`,
    ],
    [{}, [{ op: 'replace' }], 'replace operation failed to decode path: operation missing path field: missing value'],
    [
      {},
      [{ op: 'replace', path: '/a/b' }],
      'replace operation does not apply: doc is missing path: /a/b: missing value',
    ],
    [
      { a: [] },
      [{ op: 'replace', path: '/a/0' }],
      'replace operation does not apply: doc is missing key: /a/0: missing value',
    ],
    [{}, [{ op: 'replace', path: '', value: 1 }], 'replace operation value must be object or array: %!w(<nil>)'],
    [
      {},
      [{ op: 'move', path: '/a' }],
      'move operation failed to decode from: operation, missing from field: missing value',
    ],
    [
      {},
      [{ op: 'move', from: '/a/b', path: '/c' }],
      'move operation does not apply: doc is missing from path: /a/b: missing value',
    ],
    [
      {},
      [{ op: 'move', from: '/a', path: '/c' }],
      "error in move for path: 'a': Unable to remove nonexistent key: a: missing value",
    ],
    [
      { a: 1 },
      [{ op: 'move', from: '/a' }],
      'move operation failed to decode path: operation missing path field: missing value',
    ],
    [
      { a: 1 },
      [{ op: 'move', from: '/a', path: '/b/c' }],
      'move operation does not apply: doc is missing destination path: /b/c: missing value',
    ],
    [
      { a: 1, b: [] },
      [{ op: 'move', from: '/a', path: '/b/3' }],
      "error in move for path: '/b/3': Unable to access invalid index: 3: invalid index referenced",
    ],
    [
      {},
      [{ op: 'copy', path: '/a' }],
      'copy operation failed to decode from: operation, missing from field: missing value',
    ],
    [
      {},
      [{ op: 'copy', from: '/a/b', path: '/c' }],
      'copy operation does not apply: doc is missing from path: /a/b: missing value',
    ],
    [
      { a: [] },
      [{ op: 'copy', from: '/a/0', path: '/c' }],
      "error in copy for from: '/a/0': Unable to access invalid index: 0: invalid index referenced",
    ],
    [{ a: 1 }, [{ op: 'copy', from: '/a' }], 'copy operation failed to decode path: missing value'],
    [
      { a: 1 },
      [{ op: 'copy', from: '/a', path: '/b/c' }],
      'copy operation does not apply: doc is missing destination path: /b/c: missing value',
    ],
    [
      { a: 1, b: [] },
      [{ op: 'copy', from: '/a', path: '/b/x' }],
      `error while adding value during copy: value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
    ],
    [{ a: 'x'.repeat(3 * 1024 * 1024) }, [{ op: 'copy', from: '/a', path: '/b' }], copied],
    [
      {},
      [{ op: 'test', value: 1 }],
      'test operation failed to decode path: operation missing path field: missing value',
    ],
    [
      {},
      [{ op: 'test', path: '/x/y', value: 1 }],
      'test operation does not apply: is missing path: /x/y: missing value',
    ],
    [{ a: 1 }, [{ op: 'test', path: '/a', value: '1' }], 'testing value /a failed: test failed'],
    [{}, [{ op: 'test', path: '/a', value: 1 }], 'testing value /a failed: test failed'],
    [{ a: 1 }, [{ op: 'test', path: '', value: {} }], 'testing value  failed: test failed'],
    [
      { a: [] },
      [{ op: 'test', path: '/a/0', value: 1 }],
      "error in test for path: '/a/0': Unable to access invalid index: 0: invalid index referenced",
    ],
  ])('rejects patch %#: %.0j %j', (document, patch, detail) => {
    const error = refusal(document, patch);
    expect([error.code, error.reason, error.cause]).toEqual([422, 'Invalid', detail]);
    expect(error.message).toBe('the server rejected our request due to an error in our request');
  });

  test.each<[Json, string]>([
    [{}, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    ['x', 'error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
    [[1], 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    [
      [{ op: 'add', path: 1 }],
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    ],
  ])('rejects %j as a patch', (patch, message) => {
    expect(refusal({}, patch)).toEqual(new StatusError('BadRequest', message));
  });

  test('accepts at most 10,000 operations', () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: null }));
    expect(run({}, patch.slice(1))).toEqual({});
    const error = refusal({}, patch);
    expect(error.message).toContain('The allowed maximum operations in a JSON patch is 10000, got 10001');
    expect(error.code).toBe(413);
  });
});

test('reports unknown fields like strict decoding', () => {
  const found = ['duplicate field "[0].op"', 'duplicate field "[1].x"', 'duplicate field "[1].value.y"'];
  expect(jsonPatchFaults([{ op: 'test' }, { op: 'test', x: 1, value: { y: 1 } }, 3], found)).toEqual([
    'json patch duplicate field "[0].op"',
    'json patch unknown field "[1].x"',
  ]);
});

test('tests and removes an added value; the input stays unchanged', () => {
  const document = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;
  fc.assert(
    fc.property(document, fc.string(), fc.jsonValue() as fc.Arbitrary<Json>, (start, name, value) => {
      fc.pre(!Object.hasOwn(start, name));
      const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const before = JSON.stringify(start);
      const operations = [
        { op: 'add', path, value },
        { op: 'test', path, value },
        { op: 'remove', path },
      ];
      expect(JSON.stringify(run(start, operations))).toBe(before);
      expect(JSON.stringify(start)).toBe(before);
    }),
  );
});

describe('a long list in a JSON patch', () => {
  const list = Array.from({ length: 100_000 }, () => 1);

  test.each<[string, Json]>([
    ['removed from', { op: 'remove', path: '/a/0' }],
    ['added to', { op: 'add', path: '/a/0', value: 1 }],
    ['moved in', { op: 'move', from: '/a/0', path: '/a/5' }],
    ['copied to', { op: 'copy', from: '/b', path: '/a/0' }],
  ])('limits repeated operations when it is %s at its front', (_, operation) => {
    const often = Array.from({ length: 9000 }, () => operation);
    const error = refusal({ a: list, b: 1 }, often);
    expect(error.cause).toBe('Unable to complete the patch, which moves more than 50000000 elements of lists');
  });

  test('may be extended many times at its end', () => {
    const often = Array.from({ length: 9000 }, () => ({ op: 'add', path: '/a/-', value: 1 }));
    expect(applyJsonPatch({ a: list }, decodeJsonPatch(often))).toHaveProperty('a.length', 109_000);
  });
});

describe('number literals', () => {
  const noting = (text: string): Json => decodeJson(Buffer.from(text), { literals: true }).value;

  test('keep their form when values move', () => {
    const patch = noting(
      '[{"op":"add","path":"/l/0","value":{"n":8e1}},{"op":"add","path":"/l/0","value":1.0},{"op":"copy","from":"/l/1","path":"/c"},{"op":"move","from":"/l/0","path":"/m"}]',
    );
    const patched = run({ l: [2] }, patch) as JsonObject;
    expect(patched).toEqual({ l: [{ n: 80 }, 2], c: { n: 80 }, m: 1 });
    const [first] = patched['l'] as Json[];
    expect(literalAt(first as JsonObject, 'n')).toBe('8e1');
    expect(literalAt(patched['c'] as JsonObject, 'n')).toBe('8e1');
    expect([literalAt(patched, 'm'), literalAt(patched['l'] as Json[], 0)]).toEqual(['1.0', undefined]);
  });

  test.each(['80.0', '8e1'])('make a test of 80 against %s fail, because the bytes differ', (text) => {
    expect(refusal({ a: 80 }, noting(`[{"op":"test","path":"/a","value":${text}}]`)).cause).toBe(
      'testing value /a failed: test failed',
    );
  });

  test('let a test pass against the literal that the patch has written', () => {
    const patch = noting('[{"op":"add","path":"/a","value":80.0},{"op":"test","path":"/a","value":80.0}]');
    expect(run({}, patch)).toEqual({ a: 80 });
  });

  test('are not used as paths', () => {
    expect(() => decodeJsonPatch(noting('[{"op":"test","path":80.0}]'))).toThrow('cannot unmarshal number into');
  });
});
