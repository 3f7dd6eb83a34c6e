import { describe, expect, test } from 'vitest';
import { encode } from '../serialize/encode.ts';
import { answeredObject, isObjectAnswer, isStatus } from './response-object.ts';

const STATUS = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
const MAP = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { b: 'c' } };

const FORMS = [
  ['JSON', 'application/json', false],
  ['pretty JSON', 'application/json', true],
  ['YAML', 'application/yaml', false],
  ['protobuf', 'application/vnd.kubernetes.protobuf', false],
] as const;

describe.each(FORMS)('response bodies in %s', (_, contentType, pretty) => {
  const answer = (object: typeof MAP | typeof STATUS) => ({
    contentType,
    body: Buffer.from(encode(object, { mediaType: contentType, pretty })),
  });

  test('decodes a response object', () => {
    expect([isObjectAnswer(answer(MAP)), isStatus(answer(MAP))]).toEqual([true, false]);
    expect(answeredObject(answer(MAP))).toEqual(MAP);
  });

  test('recognizes a Status', () => {
    expect([isObjectAnswer(answer(STATUS)), isStatus(answer(STATUS))]).toEqual([true, true]);
    expect(answeredObject(answer(STATUS))).toMatchObject({ kind: 'Status', status: 'Success' });
  });
});

test.each([
  ['text', 'text/plain', 'ok'],
  ['a document that names no kind', 'application/json', '{"major":"1"}'],
  ['an empty body', 'application/json', ''],
])('finds no API object in %s', (_, contentType, text) => {
  expect(isObjectAnswer({ contentType, body: Buffer.from(text) })).toBe(false);
});
