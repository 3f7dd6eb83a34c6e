import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessorCalls, callsByRoom } from './accessor-calls.ts';

/** Rooms with typed objects, and their number of remaining calls: on maps, and on objects of any kind. */
const CONVERTED: Readonly<Record<string, number>> = {
  'lib/client/controller': 2,
  'lib/helpers/csi-translation': 0,
  'lib/scheduler': 3,
  'lib/helpers/dynamic-resource-allocation': 0,
};

const IMPORT = "import { objectAt, text } from '#lib/machinery/unstructured.ts';\n";

test.each([
  ["text(spec, 'nodeName')", 1],
  ["text(objectAt(pod, 'spec'), 'nodeName')", 2],
  ['text(\n  pod,\n  "a" + \'b\',\n)', 1],
  ['text(pod, name)', 0],
  ["other.text(spec, 'nodeName')", 0],
  ["text(pod, of('nodeName'))", 0],
])('%s: %i calls with a literal name', (source, calls) => {
  expect(accessorCalls(IMPORT + source)).toBe(calls);
});

test('does not count a function with the same name that is not imported', () => {
  expect(accessorCalls("text(spec, 'nodeName')")).toBe(0);
});

test('converted rooms do not use accessors more often than before', () => {
  const calls = Object.fromEntries(callsByRoom(join(import.meta.dirname, '..', '..')));
  expect(Object.fromEntries(Object.keys(CONVERTED).map((room) => [room, calls[room] ?? 0]))).toEqual(CONVERTED);
});
