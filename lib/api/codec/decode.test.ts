import { describe, expect, test } from 'vitest';
import { decodeJson } from '#lib/machinery/json.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import { skipUnless } from '#test/support/skip.ts';
import { corpus, fixtures, kindOf } from '../fixtures.conformance.ts';
import { decodeTyped } from './decode.ts';

const decode = (version: string, kind: string, value: Json) =>
  decodeTyped({ ...(parseApiVersion(version) ?? { group: '', version: '' }), kind }, value);

describe('normalization', () => {
  test.each<[string, string, string, Json, Json]>([
    [
      'structs that are no pointers are always there',
      'v1',
      'Pod',
      {},
      { metadata: {}, spec: { containers: null }, status: {} },
    ],
    ['null is absent', 'v1', 'ConfigMap', { data: null, metadata: { name: null, labels: null } }, { metadata: {} }],
    ['a null in a map is its zero', 'v1', 'ConfigMap', { data: { a: null } }, { metadata: {}, data: { a: '' } }],
    ['empty lists and maps go', 'v1', 'ConfigMap', { data: {}, metadata: { finalizers: [] } }, { metadata: {} }],
    ['map keys are sorted', 'v1', 'ConfigMap', { data: { b: '', a: '' } }, { metadata: {}, data: { a: '', b: '' } }],
    [
      'bytes are canonical',
      'v1',
      'Secret',
      { data: { a: 'YQ==\n', b: null } },
      { metadata: {}, data: { a: 'YQ==', b: null } },
    ],
    [
      'times',
      'v1',
      'ConfigMap',
      { metadata: { creationTimestamp: '0001-01-01T00:00:00Z', deletionTimestamp: '2024-01-01T02:00:00.5+02:00' } },
      { metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' } },
    ],
    [
      'pointers keep zeros',
      'apps/v1',
      'ReplicaSet',
      { spec: { replicas: 0, minReadySeconds: 0 } },
      {
        metadata: {},
        spec: { replicas: 0, selector: null, template: { metadata: {}, spec: { containers: null } } },
        status: { replicas: 0 },
      },
    ],
    [
      'quantities',
      'v1',
      'ResourceQuota',
      { spec: { hard: { cpu: '1000m', memory: 1024 } } },
      {
        metadata: {},
        spec: { hard: { cpu: '1', memory: '1024' } },
        status: {},
      },
    ],
    [
      '__proto__ is a key like any other',
      'v1',
      'ConfigMap',
      { data: JSON.parse('{"__proto__":"x"}') as Json },
      {
        metadata: {},
        data: JSON.parse('{"__proto__":"x"}') as Json,
      },
    ],
  ])('follows Go: %s', (_, version, kind, value, expected) => {
    const { object, unknown } = decode(version, kind, value);
    expect(object).toEqual({ kind, apiVersion: version, ...(expected as object) });
    expect(Object.keys(object).slice(0, 2)).toEqual(['kind', 'apiVersion']);
    expect(unknown).toEqual([]);
  });

  test('preserves int64', () => {
    const { object } = decode('v1', 'ConfigMap', { metadata: { generation: 9007199254740993n } });
    expect(object['metadata']).toEqual({ generation: 9007199254740993n });
  });
});

test('reports unknown fields once, in document order', () => {
  const value: Json = {
    x: 1,
    spec: { containers: [{ name: 'a', y: {} }], '"': 1 },
    metadata: { labels: { z: 'kept' } },
  };
  const { object, unknown } = decode('v1', 'Pod', value);
  expect(unknown).toEqual(['unknown field "x"', 'unknown field "spec.containers[0].y"', 'unknown field "spec.\\""']);
  expect(object['x']).toBeUndefined();
});

describe('invalid values', () => {
  const field = 'json: cannot unmarshal';
  test.each<[string, Json, string]>([
    [
      'v1 Pod',
      { spec: { containers: [{ ports: [{ containerPort: 'x' }] }] } },
      `${field} string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32`,
    ],
    [
      'v1 Pod',
      { spec: { containers: [{ ports: [{ containerPort: 1.5 }] }] } },
      `${field} number 1.5 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32`,
    ],
    ['v1 Pod', { spec: [] }, `${field} array into Go struct field Pod.spec of type v1.PodSpec`],
    [
      'v1 Pod',
      { spec: { volumes: [{ configMap: { name: true } }] } },
      `${field} bool into Go struct field ConfigMapVolumeSource.spec.volumes.VolumeSource.configMap.LocalObjectReference.name of type string`,
    ],
    ['v1 Pod', [], `${field} array into Go value of type v1.Pod`],
    [
      'v1 Service',
      { spec: { ports: [{ targetPort: {} }] } },
      `${field} object into Go struct field ServicePort.spec.ports.targetPort of type int32`,
    ],
    ['v1 Secret', { data: { a: 'YQ=' } }, 'illegal base64 data at input byte 3'],
    [
      'v1 ConfigMap',
      { metadata: { deletionTimestamp: 'x' } },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      'v1 ResourceQuota',
      { spec: { hard: { cpu: '' } } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'v1 ConfigMap',
      { metadata: { name: 1 }, data: 2 },
      `${field} number into Go struct field ObjectMeta.metadata.name of type string`,
    ],
    [
      'v1 ConfigMap',
      { data: 2, metadata: { deletionTimestamp: 1 } },
      `${field} number into Go struct field ObjectMeta.metadata.deletionTimestamp of type string`,
    ],
  ])('are rejected: %s %j', (name, value, message) => {
    const [version = '', kind = ''] = name.split(' ');
    expect(refusal({ apiVersion: version, kind }, value)).toBe(message);
  });

  test('are rejected if a schema is nested too deeply', () => {
    let schema: Json = {};
    for (let i = 0; i < 5_000; i++) schema = { not: schema };
    const versions = [{ name: 'v1', schema: { openAPIV3Schema: schema } }];
    expect(() => decode('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { spec: { versions } })).toThrow(
      'exceeded max depth',
    );
  });
});

interface Recorded {
  readonly object: JsonObject;
  readonly mutation?: string;
  readonly code: number;
  readonly message?: string;
}

/** The error text of upstream's conversion functions, which are specific to a kind. */
const BY_CONVERSION = 'strconv.ParseInt';

test(
  'rejects exactly the recorded bodies that upstream rejects, with its message',
  skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'),
  () => {
    const different = corpus<Recorded>('builtin').filter(({ object, code, message = '' }) => {
      const recorded = code === 400 ? / cannot be handled as an? \w+: (.*)$/s.exec(message)?.[1] : undefined;
      return recorded !== refusal(object, object) && !(recorded ?? '').startsWith(BY_CONVERSION);
    });
    expect(different).toEqual([]);
  },
);

function refusal(named: JsonObject, value: Json): string | undefined {
  try {
    decodeTyped(kindOf(named), value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('repeated fields', () => {
  const decodeText = (kind: string, text: string) => {
    const { value, repeated } = decodeJson(Buffer.from(text));
    return decodeTyped({ group: kind === 'ConfigMap' ? '' : 'apps', version: 'v1', kind }, value, repeated);
  };

  test.each<[string, string, string, string[]]>([
    [
      'are told in the order of the document',
      'Deployment',
      '{"spec":{"a":1,"replicas":1,"b":1,"replicas":2,"c":1}}',
      ['unknown field "spec.a"', 'unknown field "spec.b"', 'duplicate field "spec.replicas"', 'unknown field "spec.c"'],
    ],
    ['of unknown names are unknown', 'ConfigMap', '{"zz":1,"zz":2}', ['unknown field "zz"']],
    ['of maps', 'ConfigMap', '{"data":{"a":"1","a":"2"}}', ['duplicate field "data.a"']],
    [
      'in a list',
      'ConfigMap',
      '{"metadata":{"ownerReferences":[{"name":"a","name":"b"}]}}',
      ['duplicate field "metadata.ownerReferences[0].name"'],
    ],
  ])('are reported: %s', (_, kind, text, found) => {
    expect(decodeText(kind, text).unknown).toEqual(found);
  });

  test.each<[string, string, Json]>([
    ['maps grow together', '{"data":{"a":"1","b":"1"},"data":{"b":"2"}}', { metadata: {}, data: { a: '1', b: '2' } }],
    [
      'structs too',
      '{"metadata":{"name":"x","uid":"1"},"metadata":{"uid":"2"}}',
      { metadata: { name: 'x', uid: '2' } },
    ],
    [
      'the last list is the list',
      '{"metadata":{"finalizers":["a","b"],"finalizers":["c"]}}',
      {
        metadata: { finalizers: ['c'] },
      },
    ],
    ['null takes a map away', '{"data":{"a":"1"},"data":null}', { metadata: {} }],
  ])('are merged as in Go: %s', (_, text, object) => {
    expect(decodeText('ConfigMap', text).object).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      ...(object as JsonObject),
    });
  });
});

describe('number literals', () => {
  const read = (version: string, kind: string, text: string): JsonObject => {
    const { value, repeated } = decodeJson(Buffer.from(text), { literals: true });
    const gvk = { ...(parseApiVersion(version) ?? { group: '', version: '' }), kind };
    return decodeTyped(gvk, value, repeated).object;
  };
  const port = (text: string): string => `{"spec":{"ports":[{"port":${text}}]}}`;

  test.each(['80.0', '8e1', '80.50', '99999999999999999999'])('rejects %s as an int32, with that literal', (text) => {
    expect(() => read('v1', 'Service', port(text))).toThrow(
      `json: cannot unmarshal number ${text} into Go struct field ServicePort.spec.ports.port of type int32`,
    );
  });

  test.each<[string, string, string]>([
    [
      'an int64',
      '{"metadata":{"generation":3.0}}',
      'number 3.0 into Go struct field ObjectMeta.metadata.generation of type int64',
    ],
    [
      'an int-or-string',
      '{"spec":{"ports":[{"port":80,"targetPort":80.0}]}}',
      'number 80.0 into Go struct field ServicePort.spec.ports.targetPort of type int32',
    ],
    ['the first of repeated fields', '{"spec":{"healthCheckNodePort":1.0,"healthCheckNodePort":1}}', 'number 1.0 into'],
  ])('rejects a whole float as %s', (_, text, expected) => {
    expect(() => read('v1', 'Service', text)).toThrow(`json: cannot unmarshal ${expected}`);
  });

  test('rejects a whole float in a list of bytes', () => {
    expect(() => read('v1', 'Secret', '{"data":{"a":[97,98.0]}}')).toThrow('cannot unmarshal number 98.0 into');
  });

  test('accepts -0, and whole floats for a float64 in Go', () => {
    expect(read('v1', 'Service', port('-0'))).toMatchObject({ spec: { ports: [{ port: 0 }] } });
    const schema = '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"maximum":3.0}}}]}}';
    expect(read('apiextensions.k8s.io/v1', 'CustomResourceDefinition', schema)).toMatchObject({
      spec: { versions: [{ schema: { openAPIV3Schema: { maximum: 3 } } }] },
    });
  });

  test('keeps the format of a quantity from its literal', () => {
    expect(read('v1', 'ResourceQuota', '{"spec":{"hard":{"a":1e3,"b":1.50,"c":1000}}}')).toMatchObject({
      spec: { hard: { a: '1e3', b: '1500m', c: '1k' } },
    });
  });
});
