import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { kindNames, typeFacts } from '../../types.ts';
import type { ValueFacts } from '../../values.ts';
import { decodeType as decodeJsonType } from '../decode.ts';
import { decodeDeleteOptions } from '../delete-options.ts';
import { decodeMessage, decodeType } from './decode.ts';
import { encodeMessage, encodeType, encodeWatchEvent } from './encode.ts';
import { decodeUnknown, encodeUnknown } from './envelope.ts';

const MAX_NESTING = 6;
const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((it) => it.isWellFormed());

/** Any JSON document of a type but without empty lists, which protobuf cannot distinguish from absent ones. */
function document(type: string, depth = 0): fc.Arbitrary<JsonObject> {
  const fields = typeFacts(type)
    .fields.filter(({ name, number }) => number > 0 || (name !== 'kind' && name !== 'apiVersion'))
    .map(({ name, value }) => [name, valueOf(value, depth)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

function valueOf(facts: ValueFacts, depth: number): fc.Arbitrary<Json> {
  switch (facts.form) {
    case 'struct':
      return depth >= MAX_NESTING ? fc.constant({}) : document(facts.type, depth + 1);
    case 'list':
      return fc.array(valueOf(facts.of, depth + 1), { minLength: 1, maxLength: 2 });
    case 'map':
      return fc.dictionary(text, valueOf(facts.of, depth + 1), { minKeys: 1, maxKeys: 3 });
    default:
      return SCALARS[facts.form];
  }
}

const json: fc.Arbitrary<Json> = fc.constantFrom<Json[]>({}, { a: [1, null, 'x<'] }, [true], 'text', 7);
const SCALARS: Readonly<Record<Exclude<ValueFacts['form'], 'struct' | 'list' | 'map'>, fc.Arbitrary<Json>>> = {
  string: text,
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }), fc.constant(-(2n ** 63n))),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((it) => (Object.is(it, -0) ? 0 : it)),
  bytes: fc.uint8Array({ maxLength: 200 }).map((it) => Buffer.from(it).toString('base64')),
  quantity: fc.constantFrom('0', '1', '100m', '1.5Gi', '3e6', '-5k', '123456789'),
  time: fc.constantFrom('2024-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59Z'),
  microtime: fc.constantFrom('2024-01-01T00:00:00.000001Z', '1969-12-31T23:59:59.999999Z'),
  duration: fc.constantFrom('1h0m0s', '-1.5s', '0s'),
  intstr: fc.oneof(fc.integer(), text),
  raw: json,
  fieldsv1: fc.constantFrom<Json[]>({}, { 'f:a': { '.': {} } }),
  json,
  schemaorarray: fc.constantFrom<Json[]>({ type: 'string' }, [{ type: 'string' }, {}]),
  schemaorbool: fc.constantFrom<Json[]>(true, false, { type: 'string' }),
  schemaorstrings: fc.constantFrom<Json[]>({ type: 'string' }, ['a', 'b']),
};

const TYPES = kindNames().map(([, name]) => name);

describe('the protobuf codec', () => {
  test.each([
    'core.v1.Pod',
    'core.v1.Secret',
    'core.v1.PersistentVolume',
    'core.v1.Event',
    'apps.v1.DeploymentList',
    'admissionregistration.v1.ValidatingAdmissionPolicy',
    'authorization.v1.SubjectAccessReview',
    'apiextensions.v1.CustomResourceDefinition',
    'resource.v1.ResourceClaim',
    'meta.v1.APIResourceList',
    'meta.v1.DeleteOptions',
  ])('decodes what it encodes: %s', (name) => {
    fc.assert(
      fc.property(document(name), (value) => {
        const { object } = decodeJsonType(typeFacts(name), value);
        expect(decodeType(name, encodeType(name, object))).toEqual(object);
      }),
      { numRuns: 40 },
    );
  });

  test('decodes what it encodes for an empty object of every kind', () => {
    for (const name of TYPES) {
      const { object } = decodeJsonType(typeFacts(name), {});
      expect(decodeType(name, encodeType(name, object))).toEqual(object);
      expect(decodeType(name, new Uint8Array(0))).toEqual(object);
    }
  });

  test('opens the envelope that it encodes', () => {
    fc.assert(
      fc.property(text, text, fc.uint8Array(), (apiVersion, kind, raw) => {
        const opened = decodeUnknown(encodeUnknown({ apiVersion, kind, raw }));
        expect(opened).toEqual({ apiVersion, kind, raw: Buffer.from(raw) });
      }),
    );
  });
});

describe('untrusted bytes', () => {
  const ERRORS = ['DecodeError', 'TimeError', 'QuantityError', 'JsonSyntaxError', 'TypeError'];
  const attempt = (name: string, bytes: Uint8Array): void => {
    try {
      decodeType(name, bytes);
    } catch (error) {
      expect(ERRORS).toContain(error instanceof Error ? error.name : '');
      expect(error instanceof TypeError ? error.message : 'no protobuf message').toMatch(/^no protobuf message/);
    }
  };

  test('never break the decoder', () => {
    fc.assert(fc.property(fc.constantFrom(...TYPES), fc.uint8Array({ maxLength: 200 }), attempt), { numRuns: 2_000 });
  });

  test('never break the decoder as changed messages', () => {
    const change = fc.tuple(fc.nat(), fc.nat(255));
    fc.assert(
      fc.property(document('core.v1.Pod'), fc.array(change, { minLength: 1, maxLength: 5 }), (value, changes) => {
        const bytes = Buffer.from(encodeType('core.v1.Pod', decodeJsonType(typeFacts('core.v1.Pod'), value).object));
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        attempt('core.v1.Pod', bytes);
        attempt('core.v1.Pod', bytes.subarray(0, (changes[0]?.[0] ?? 0) % bytes.length));
      }),
      { numRuns: 100 },
    );
  });

  const hex = (...parts: string[]): Buffer => Buffer.from(parts.join(''), 'hex');
  test.each<[string, Buffer, string]>([
    ['a length beyond the end', hex('0a05'), 'unexpected EOF'],
    ['a length of 2^63', hex('0a', '80'.repeat(9), '01'), 'proto: negative length found during unmarshaling'],
    ['a varint without end', hex('ff'.repeat(11)), 'proto: integer overflow'],
    ['field 0', hex('02'), 'proto: ConfigMap: illegal tag 0 (wire type 2)'],
    ['an end without a beginning', hex('0c'), 'proto: ConfigMap: wiretype end group for non-group'],
    ['another wire type', hex('0801'), 'proto: wrong wireType = 0 for field Metadata'],
    ['a wire type that is none', hex('ff', '01'), 'proto: illegal wireType 7'],
    ['a group without end', hex('fb01'), 'unexpected EOF'],
  ])('are rejected: %s', (_, bytes, message) => {
    expect(() => decodeMessage('v1', 'ConfigMap', bytes)).toThrow(message);
  });

  test.each([
    ['nothing', hex(), 'empty data'],
    [
      'JSON',
      Buffer.from('{}'),
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    ],
    ['the prefix alone', hex('6b387300'), 'empty body'],
  ])('are rejected as an envelope: %s', (_, bytes, message) => {
    expect(() => decodeUnknown(bytes)).toThrow(message);
  });

  test('may contain unknown fields and groups, which are skipped', () => {
    const bytes = hex('fa01', '03', '616263', 'fb01', '0801', 'fc01', 'f801', '05', 'f901', '00'.repeat(8));
    expect(decodeMessage('v1', 'ConfigMap', bytes)).toEqual({ kind: 'ConfigMap', apiVersion: 'v1', metadata: {} });
  });

  test('cannot expand a small body to a large object', () => {
    const bytes = Buffer.alloc(1_000_000, hex('1200'));
    expect(() => decodeMessage('v1', 'PodList', bytes)).toThrow('too many nested messages');
  });

  test('are rejected if a schema nests without end', () => {
    let schema: Uint8Array = new Uint8Array(0);
    for (let i = 0; i < 2_000; i++) schema = Buffer.concat([hex('e201'), length(schema), schema]);
    expect(() => decodeType('apiextensions.v1.JSONSchemaProps', schema)).toThrow('exceeded max depth');
  });

  function length(bytes: Uint8Array): Buffer {
    const groups: number[] = [];
    let rest = bytes.length;
    for (; rest >= 0x80; rest >>>= 7) groups.push((rest & 0x7f) | 0x80);
    return Buffer.from([...groups, rest]);
  }
});

test('encodes a watch event with the object in its own envelope', () => {
  const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' }, spec: { containers: null }, status: {} };
  const object = encodeUnknown({ apiVersion: 'v1', kind: 'Pod', raw: encodeMessage('v1', 'Pod', pod) });
  const event = decodeMessage('meta.k8s.io/v1', 'WatchEvent', encodeWatchEvent('ADDED', object));
  expect(event).toEqual({ type: 'ADDED', object: pod });
});

test('decodes the delete options of a body', () => {
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid: 'x' } };
  const raw = encodeMessage('meta.k8s.io/v1', 'DeleteOptions', options);
  const decoded = decodeDeleteOptions(encodeUnknown({ apiVersion: 'v1', kind: 'DeleteOptions', raw }));
  expect(decoded).toEqual({ ...options, apiVersion: 'meta.k8s.io/v1' });
});

test('throws a TypeError for an unknown type name', () => {
  expect(() => encodeMessage('v1', 'Nope', {})).toThrow(TypeError);
});
