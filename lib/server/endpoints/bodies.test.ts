import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueOrRefusal } from '#lib/machinery/faults.conformance.ts';
import { isObject } from '#lib/machinery/json-value.ts';
import { finished } from '#lib/machinery/steps.ts';
import { builtInScheme } from '#lib/server/registry/built-in-scheme.ts';
import { decodeApplied } from './applied-body.ts';
import { decodeBody } from './decode-body.ts';
import { decodePatch } from './handlers/patch-types.ts';
import { parseQuery } from './parse-query.ts';

const scheme = builtInScheme({ group: '', version: 'v1', kind: 'ConfigMap' });
const start = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}';

const piece = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"data":',
    '"metadata":',
    'null',
    '1',
    '"',
    '\\',
    'k8s\0',
    '\n- ',
  ),
  fc.constantFrom(start, '"op":"add"', '"path":"/a"', '"$patch":"delete"', '&a ', '*a', '<<: ', '---\n', '|\n'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc.array(piece, { maxLength: 12 }).map((pieces) => new Uint8Array(Buffer.from(pieces.join('')))),
  fc.jsonValue().map((value) => new Uint8Array(Buffer.from(`${start},"data":${JSON.stringify(value)}}`))),
);

describe('decoders of request bodies', () => {
  test.each(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'text/plain'])(
    'decodes arbitrary bytes as %s to an object, or rejects them',
    (contentType) => {
      fc.assert(
        fc.property(bytes, fc.constantFrom('Strict', 'Warn', 'Ignore'), (body, mode) => {
          const object = valueOrRefusal(() => decodeBody({ bytes: body, contentType }, scheme, mode, () => {}));
          if (object !== undefined) expect(isObject(object)).toBe(true);
        }),
        { numRuns: 500 },
      );
    },
  );

  test.each(['application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json'])(
    'decodes arbitrary bytes as %s to an applicable patch, or rejects them',
    (type) => {
      const live = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } };
      fc.assert(
        fc.property(bytes, (body) => {
          const patch = valueOrRefusal(() => decodePatch(type, body, scheme));
          const once = patch && valueOrRefusal(() => finished(patch.apply(structuredClone(live))));
          const again = patch && valueOrRefusal(() => finished(patch.apply(structuredClone(live))));
          expect(again).toEqual(once);
        }),
        { numRuns: 500 },
      );
    },
  );

  test('decodes arbitrary bytes as an applied configuration, or rejects them', () => {
    fc.assert(
      fc.property(bytes, (body) => {
        const applied = valueOrRefusal(() => decodeApplied(body));
        if (applied !== undefined) expect(isObject(applied.value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('parses any query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseQuery(text)).toBeInstanceOf(URLSearchParams);
      }),
      { numRuns: 500 },
    );
  });
});
