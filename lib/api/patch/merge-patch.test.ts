import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StatusError } from '#lib/machinery/errors.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { literalAt } from '#lib/machinery/number-literals.ts';
import { applyMergePatch } from './merge-patch.ts';

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe('RFC 7386, appendix A, the rows with an object as patch', () => {
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('merges %s with %s to %s', (document, patch, expected) => {
    expect(applyMergePatch(parse(document), parse(patch))).toEqual(parse(expected));
  });
});

describe('differences between upstream and the RFC', () => {
  test.each([
    ['nulls in objects of a new array go', '{}', '{"a":[{"b":null,"c":1},null]}', '{"a":[{"c":1},null]}'],
    ['nulls in an array over a scalar go', '{"a":1}', '{"a":[{"b":null}]}', '{"a":[{}]}'],
    ['an array over an object is taken as it is', '{"a":{}}', '{"a":[{"b":null}]}', '{"a":[{"b":null}]}'],
    ['an object over null is new', '{"a":null}', '{"a":{"b":null,"c":2}}', '{"a":{"c":2}}'],
    ['__proto__ is a field like any other', '{}', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
  ])('follows upstream: %s', (_, document, patch, expected) => {
    expect(JSON.stringify(applyMergePatch(parse(document), parse(patch)))).toBe(expected);
  });

  test.each<[Json, string]>([
    [null, 'Invalid JSON Patch'],
    [[], 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [7, 'error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}'],
    [true, 'error decoding patch: json: cannot unmarshal bool into Go value of type map[string]interface {}'],
    ['x', 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}'],
  ])('rejects the patch %j', (patch, message) => {
    const run = (): JsonObject => applyMergePatch({}, patch);
    expect(run).toThrow(new StatusError('BadRequest', message));
  });
});

const object = fc.dictionary(
  fc.constantFrom('a', 'b', '__proto__'),
  fc.jsonValue({ maxDepth: 3 }),
) as fc.Arbitrary<JsonObject>;

test('changes nothing in a second run, and never changes its inputs', () => {
  fc.assert(
    fc.property(object, object, (document, patch) => {
      const before = JSON.stringify([document, patch]);
      const once = applyMergePatch(document, patch);
      // Like upstream, an array that replaces an object keeps its nulls the first time and loses them the second time.
      fc.pre(!JSON.stringify(patch).includes('['));
      expect(applyMergePatch(once, patch)).toEqual(once);
      expect(JSON.stringify([document, patch])).toBe(before);
    }),
  );
});

test('keeps number literals of the patch in the merged document', () => {
  const patch = decodeJson(Buffer.from('{"a":{"b":1.0},"n":{"c":[{"d":8e1,"e":null}]}}'), { literals: true }).value;
  const merged = applyMergePatch(parse('{"a":{"b":1,"x":2}}'), patch);
  expect(merged).toEqual({ a: { b: 1, x: 2 }, n: { c: [{ d: 80 }] } });
  const [item] = (merged['n'] as JsonObject)['c'] as Json[];
  expect([literalAt(merged['a'] as JsonObject, 'b'), literalAt(item as JsonObject, 'd')]).toEqual(['1.0', '8e1']);
});
