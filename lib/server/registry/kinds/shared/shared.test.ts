import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isExtendedResource,
  isStandardResource,
  pagesDivide,
} from '#lib/helpers/component-helpers/resource/resource-names.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { canonicalIP, ipFamily } from '#lib/machinery/net/parse-addr.ts';
import { errorText, FieldPath } from '#lib/machinery/validation/field.ts';
import { ipWarnings, validateLegacyIP } from './ip.ts';
import { semanticEqual } from './semantic.ts';
import { isKubernetesSignerName, validateSignerName } from './signer-name.ts';
import { unifiedDiff } from './unified-diff.ts';

const PATH = FieldPath.of('ip');

describe('parsing of IP addresses', () => {
  test.each<[string, string | undefined, 4 | 6 | undefined]>([
    ['10.0.0.1', '10.0.0.1', 4],
    ['010.0.0.1', '10.0.0.1', 4],
    ['256.0.0.1', undefined, undefined],
    ['1.2.3', undefined, undefined],
    ['::', '::', 6],
    ['FD00:0:0:0:0:0:0:1', 'fd00::1', 6],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3', 6],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7', 6],
    ['::ffff:1.2.3.4', '1.2.3.4', 4],
    ['1::2::3', undefined, undefined],
    ['1:2:3', undefined, undefined],
    ['fe80::1%eth0', undefined, undefined],
    ['', undefined, undefined],
  ])('%j has the canonical form %j and the family %j', (address, canonical, family) => {
    expect(canonicalIP(address)).toBe(canonical);
    expect(ipFamily(address)).toBe(family);
    expect(validateLegacyIP(address, PATH, [address])).toEqual([]);
  });

  test('accepts the canonical form of any eight groups', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        fc.pre(!groups.slice(0, 5).every((one) => one === 0));
        const canonical = canonicalIP(groups.map((one) => one.toString(16)).join(':')) as string;
        expect(canonicalIP(canonical)).toBe(canonical);
        expect(validateLegacyIP(canonical, PATH)).toEqual([]);
        expect(ipWarnings(canonical, PATH)).toEqual([]);
      }),
    );
  });
});

test.each<[Json | undefined, Json | undefined, boolean]>([
  [undefined, [], true],
  [{}, null, true],
  [{ a: [] }, {}, true],
  [{ a: 0 }, {}, false],
  [[1, 2], [2, 1], false],
  [{ a: { b: [] }, c: 1 }, { c: 1 }, true],
])('%j and %j are semantically equal: %j', (a, b, same) => {
  expect(semanticEqual(a, b)).toBe(same);
});

test('treats an integer and a bigint of the same value as equal', () => {
  expect(semanticEqual({ a: 1n }, { a: 1 })).toBe(true);
});

/** `first`, followed by 250 numbers, every other one zero. The number `changed` differs. */
const numbers = (first: readonly number[], changed?: number): Json => ({
  list: [...first, ...Array.from({ length: 250 }, (_, i) => (i % 2 === 0 ? 0 : i === changed ? i + 1000 : i))],
});

describe('a unified diff', () => {
  test('shows three lines around a change', () => {
    expect(unifiedDiff({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, { a: 1, b: 2, c: 3, d: 9, e: 5, f: 6 })).toBe(
      '@@ -2,7 +2,7 @@\n  "a": 1,\n  "b": 2,\n  "c": 3,\n- "d": 4,\n+ "d": 9,\n  "e": 5,\n  "f": 6\n }\n',
    );
  });

  // The texts of go-difflib.
  test.each<[string, Json, Json, string]>([
    [
      'matches the longest runs of lines first',
      { k2: { k4: { k4: true }, k2: 'a' }, k1: 2 },
      { k2: { k0: {}, k2: { k2: 'b' }, k1: true, k4: { k0: null, k1: null } }, k1: 2 },
      `@@ -1,9 +1,14 @@
 {
  "k2": {
+  "k0": {},
+  "k2": {
+   "k2": "b"
+  },
+  "k1": true,
   "k4": {
-   "k4": true
-  },
-  "k2": "a"
+   "k0": null,
+   "k1": null
+  }
  },
  "k1": 2
 }
`,
    ],
    [
      'escapes characters of HTML as Go does',
      { image: 'a&b' },
      { image: '<c>' },
      `@@ -1,3 +1,3 @@
 {
- "image": "a\\u0026b"
+ "image": "\\u003cc\\u003e"
 }
`,
    ],
    [
      'starts no match at a line that is frequent in 200 or more',
      numbers([]),
      numbers([0, 0, 0], 101),
      `@@ -1,6 +1,9 @@
 {
  "list": [
   0,
+  0,
+  0,
+  0,
   1,
   0,
   3,
@@ -101,7 +104,7 @@
   0,
   99,
   0,
-  101,
+  1101,
   0,
   103,
   0,
`,
    ],
  ])('%s', (_, a, b, text) => {
    expect(unifiedDiff(a, b)).toBe(text);
  });

  test('is empty for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(unifiedDiff(value as Json, value as Json)).toBe('');
      }),
    );
  });

  test('has as many lines as its headers announce', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3)), fc.array(fc.nat(3)), (a, b) => {
        for (const hunk of unifiedDiff(a, b)
          .split(/(?=^@@)/m)
          .filter((text) => text !== '')) {
          const [, before = '1', after = '1'] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(hunk) ?? [];
          const lines = hunk.split('\n').slice(1, -1);
          expect(lines.filter((line) => !line.startsWith('+'))).toHaveLength(Number(before));
          expect(lines.filter((line) => !line.startsWith('-'))).toHaveLength(Number(after));
        }
      }),
    );
  });
});

test.each<[string, string[]]>([
  ['example.com/signer', []],
  ['', ['ip: Required value']],
  [
    'example.com',
    [
      `ip: Invalid value: "example.com": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ],
  ],
  ['local/signer', ['ip: Invalid value: "local": should be a domain with at least two segments separated by dots']],
])('validates the signer name %j', (name, expected) => {
  expect(validateSignerName(name, PATH).map(errorText)).toEqual(expected);
});

test('recognizes signer names that Kubernetes reserves', () => {
  expect(['kubernetes.io/x', 'a.kubernetes.io/x', 'mykubernetes.io/x'].map(isKubernetesSignerName)).toEqual([
    true,
    true,
    false,
  ]);
});

test('recognizes standard and extended resource names', () => {
  expect(['cpu', 'limits.memory', 'hugepages-2Mi', 'gpu'].map(isStandardResource)).toEqual([true, true, true, false]);
  expect(['vendor.example/gpu', 'kubernetes.io/x', 'requests.x/y', 'gpu'].map(isExtendedResource)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(['4Mi', '3Mi', '0'].map((value) => pagesDivide('hugepages-2Mi', value))).toEqual([true, false, true]);
  expect(pagesDivide('hugepages-0', '1')).toBe(false);
});
