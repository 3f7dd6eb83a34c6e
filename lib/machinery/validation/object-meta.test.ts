import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json-value.ts';
import { errorText, FieldPath } from './field.ts';
import { validateLabelSelector } from './labels.ts';
import { nameIsDNSSubdomain } from './names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from './object-meta.ts';

const path = FieldPath.of('metadata');
const create = (metadata: JsonObject, namespaced = true): string[] =>
  validateObjectMeta(metadata, { namespaced, validateName: nameIsDNSSubdomain, path }).map(errorText);
const meta = (fields: JsonObject = {}): JsonObject => ({ name: 'n', namespace: 'd', resourceVersion: '1', ...fields });
const owner = (fields: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: 'p',
  uid: 'u',
  ...fields,
});

describe('validateObjectMeta', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'valid fields',
      meta({ labels: { a: 'b' }, annotations: { A: '*' }, finalizers: ['a/b'], ownerReferences: [owner()] }),
      [],
    ],
    ['no name', { namespace: 'd' }, ['metadata.name: Required value: name or generateName is required']],
    ['no namespace', { name: 'n' }, ['metadata.namespace: Required value']],
    [
      'negative generation',
      meta({ generation: -1 }),
      ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'too many annotations',
      meta({ annotations: { a: 'x'.repeat(262_144) } }),
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    ['annotations at the limit', meta({ annotations: { a: 'x'.repeat(262_143) } }), []],
    [
      'an empty owner',
      meta({ ownerReferences: [{ apiVersion: 'a/b/c' }] }),
      [
        'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      ],
    ],
    [
      'two finalizers that exclude each other',
      meta({ finalizers: ['orphan', 'foregroundDeletion'] }),
      [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    ],
    [
      'managed fields',
      meta({ managedFields: [{ operation: 'X', fieldsType: 'Y', manager: 'a\u0001', subresource: 's'.repeat(257) }] }),
      [
        'metadata.managedFields[0].operation: Invalid value: "X": must be `Apply` or `Update`',
        'metadata.managedFields[0].fieldsType: Invalid value: "Y": must be `FieldsV1`',
        'metadata.managedFields[0].manager: Invalid value: "a\\x01": invalid character U+0001 (at position 1)',
        'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
      ],
    ],
  ])('validates metadata with %s', (_, metadata, errors) => {
    expect(create(metadata)).toEqual(errors);
  });

  test('rejects a namespace on a cluster-scoped kind', () => {
    expect(create(meta(), false)).toEqual(['metadata.namespace: Forbidden: not allowed on this type']);
  });

  test('rejects two controllers', () => {
    const ownerReferences = [owner({ controller: true }), owner({ controller: true, name: 'q' })];
    expect(create(meta({ ownerReferences }))[0]).toMatch(
      /Only one reference can have Controller set to true. Found "true" in references for Pod\/p and Pod\/q$/,
    );
  });

  test('rejects an Event as an owner', () => {
    expect(create(meta({ ownerReferences: [owner({ kind: 'Event' })] }))[0]).toMatch(
      /: \/v1, Kind=Event is disallowed from being an owner$/,
    );
  });
});

describe('validateObjectMetaUpdate', () => {
  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['valid fields', meta({ generation: 2 }), meta({ generation: 1 }), []],
    [
      'no resourceVersion',
      meta({ resourceVersion: '' }),
      meta(),
      ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
    ],
    [
      'a decremented generation',
      meta({ generation: 1 }),
      meta({ generation: 2 }),
      ['metadata.generation: Invalid value: 1: must not be decremented'],
    ],
    ['another uid', meta({ uid: 'b' }), meta({ uid: 'a' }), ['metadata.uid: Invalid value: "b": field is immutable']],
    [
      'a removed creationTimestamp',
      meta({ creationTimestamp: null }),
      meta({ creationTimestamp: '2024-01-01T00:00:00Z' }),
      ['metadata.creationTimestamp: Invalid value: null: field is immutable'],
    ],
    [
      'a finalizer added while deleting',
      meta({ deletionTimestamp: 't', finalizers: ['b/x', 'a/x', 'c/x'] }),
      meta({ deletionTimestamp: 't', finalizers: ['c/x'] }),
      [
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/x", "b/x"}',
      ],
    ],
  ])('validates an update with %s', (_, metadata, old, errors) => {
    expect(validateObjectMetaUpdate(metadata, old, path).map(errorText)).toEqual(errors);
  });
});

describe('validateLabelSelector', () => {
  const at = FieldPath.of('s');
  test.each<[string, JsonObject, string[]]>([
    [
      'valid requirements',
      { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
      [],
    ],
    [
      'In without values',
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      ["s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"],
    ],
    [
      'Exists with values',
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      ["s.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"],
    ],
    [
      'an unknown operator',
      { matchExpressions: [{ key: 'a', operator: 'x' }] },
      ['s.matchExpressions[0].operator: Invalid value: "x": not a valid selector operator'],
    ],
  ])('validates a selector with %s', (_, selector, errors) => {
    expect(validateLabelSelector(selector, at).map(errorText)).toEqual(errors);
  });
});
