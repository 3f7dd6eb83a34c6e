import { expect, test } from 'vitest';
import { encodeObject } from '#lib/machinery/json.ts';
import { clone, equal, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { decodeTyped } from '../codec/decode.ts';
import { typedObject } from '../typed.ts';
import type { Pod } from './core.v1.ts';
import { PODS } from './resources.ts';

const given = { metadata: { name: 'a', labels: { app: 'b' } }, spec: { nodeName: 'n' } };
const pod = typedObject(PODS, decodeTyped({ group: '', version: 'v1', kind: 'Pod' }, given).object);

test('clones, compares and encodes a typed object like any other', () => {
  const copy: Pod = clone(pod);
  expect(copy).toEqual(pod);
  expect(copy).not.toBe(pod);
  expect(equal(copy, pod)).toBe(true);
  expect(encodeObject(pod).toString()).toContain('"nodeName":"n"');
});

test('reads fields by names that the compiler checks, and maps by any key', () => {
  expect(pod.spec.nodeName).toBe('n');
  expect(ownField(pod.metadata.labels, 'app')).toBe('b');
  expect(ownField(pod.metadata.labels, 'constructor')).toBe(undefined);
  // @ts-expect-error misspelt field
  expect(pod.spec.nodeNmae).toBe(undefined);
  // @ts-expect-error accessors by name reject a typed object
  expect(text(pod.spec, 'nodeName')).toBe('n');
  // @ts-expect-error a typed object is not a map
  expect(ownField(pod, 'spec')).toBe(pod.spec);
});

test('does not accept an untyped object as a typed one', () => {
  const anything: JsonObject = pod;
  // @ts-expect-error an untyped object is not a Pod
  const known: Pod = anything;
  expect(known).toBe(pod);
});
