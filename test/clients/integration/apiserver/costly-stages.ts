import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import type { Sent } from './front-door.ts';
import { DEFINITIONS } from './matrix.ts';

/** The parameters that a search varies to make a request cost more. */
export interface Shape {
  /** The number of fields, items or similar parts. */
  readonly count: number;
  /** The length of a text or a name in characters. */
  readonly length: number;
  /** The number of distinct values among the `count`. */
  readonly distinct: number;
}

/** A stage of a request, and a request that is designed to be slow in it. */
export interface CostlyStage {
  readonly what: string;
  /** The maximum of each parameter. */
  readonly most: Shape;
  make(shape: Shape): Sent;
  /** Whether the work pauses before its end. False for work that is short because of a limit on steps or bytes. */
  readonly pauses: boolean;
}

const HERE = '/api/v1/namespaces/default';
const MAPS = `${HERE}/configmaps`;
const THINGS = '/apis/costly.example.com/v1/namespaces/default/things';
const DRY = '?dryRun=All';
const text = { type: 'string' };
const NAMES = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const fields = (count: number, value: (i: number) => Json, prefix = 'n'): JsonObject =>
  Object.fromEntries(times(count, (i) => [prefix + i, value(i)]));
const long = ({ length }: Shape): string => 'x'.repeat(length);
const listOf = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });
const of = (type: string): Record<string, string> => ({ 'content-type': `application/${type}` });
const KEYED = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] };

/** The spec of the custom kind, with a field for each kind of work. */
const SPEC: JsonObject = {
  type: 'object',
  properties: {
    defaulted: listOf({ type: 'object', properties: { a: { ...text, default: 'x'.repeat(90_000) } } }),
    sparse: listOf({ type: 'object', properties: { ...fields(2000, () => text, 'p'), a: { ...text, default: '' } } }),
    maps: { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
    texts: { type: 'object', additionalProperties: { type: 'object', additionalProperties: text } },
    required: listOf({ type: 'object', required: times(2000, (i) => `r${i}`) }),
    enumerated: listOf({ ...text, enum: times(2000, (i) => `value-${i}`) }),
    alternatives: listOf({ ...text, anyOf: times(2000, () => ({ maxLength: 0 })) }),
    exclusive: listOf({ ...text, oneOf: times(2000, (i) => ({ minLength: i + 1 })) }),
    set: listOf(text, { 'x-kubernetes-list-type': 'set' }),
    keyed: listOf({ type: 'object', required: ['a'], properties: { a: text, b: text } }, KEYED),
    uris: listOf({ ...text, format: 'uri' }),
    emails: listOf({ ...text, format: 'email' }),
    durations: listOf({ ...text, format: 'duration' }),
    patterned: listOf({ ...text, pattern: '^(a+)+(b+)+(a|b)*c$' }),
  },
};

const condition = (type: string): JsonObject => ({
  type,
  status: 'True',
  reason: 'Test',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

/** Requests to send first: they create a custom kind and objects to patch. */
export const PREPARED: readonly Sent[] = [
  { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'default' } } },
  { method: 'POST', path: `${HERE}/serviceaccounts`, body: { metadata: { name: 'default' } } },
  {
    method: 'POST',
    path: MAPS,
    body: { metadata: { name: 'x', finalizers: times(5000, (i) => `a/f${i}`) }, data: { a: 'b' } },
  },
  {
    method: 'POST',
    path: DEFINITIONS,
    body: {
      ...aDefinition(
        { names: NAMES, group: 'costly.example.com' },
        { schema: { openAPIV3Schema: { type: 'object', properties: { spec: SPEC } } } },
      ),
      metadata: { name: 'things.costly.example.com' },
    },
  },
  {
    method: 'PATCH',
    path: `${DEFINITIONS}/things.costly.example.com/status`,
    headers: of('merge-patch+json'),
    body: {
      status: {
        acceptedNames: NAMES,
        storedVersions: ['v1'],
        conditions: ['NamesAccepted', 'Established'].map(condition),
      },
    },
  },
];

const map = (more: JsonObject): Sent => ({
  method: 'POST',
  path: MAPS + DRY,
  body: { ...more, metadata: { name: 'c', ...(more['metadata'] as JsonObject | undefined) } },
});
const raw = (body: string, type = 'json'): Sent => ({ method: 'POST', path: MAPS + DRY, body, headers: of(type) });
const thing = (spec: JsonObject): JsonObject => ({
  apiVersion: 'costly.example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a' },
  spec,
});
const custom = (spec: JsonObject): Sent => ({ method: 'POST', path: THINGS + DRY, body: thing(spec) });
const applied = (spec: JsonObject): Sent => ({
  method: 'PATCH',
  path: `${THINGS}/a${DRY}&fieldManager=m&force=true`,
  headers: of('apply-patch+yaml'),
  body: thing(spec),
});
const patch = (type: string, body: unknown, path = `${MAPS}/x`): Sent => ({
  method: 'PATCH',
  path: path + DRY,
  headers: of(type),
  body: JSON.stringify(body),
});
const pod = (spec: JsonObject): Sent => ({
  method: 'POST',
  path: `${HERE}/pods${DRY}`,
  body: { metadata: { name: 'p' }, spec },
});
const quota = (spec: JsonObject): Sent => ({
  method: 'POST',
  path: `${HERE}/resourcequotas${DRY}`,
  body: { metadata: { name: 'q' }, spec },
});
const query = (selector: string): Sent => ({ path: `${MAPS}?${selector}` });
const managed = (count: number, entry: (i: number) => JsonObject): Sent =>
  map({
    metadata: {
      managedFields: times(count, (i) => ({
        manager: `m${i}`,
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        ...entry(i),
      })),
    },
  });
const yaml = (data: string): Sent => raw(`metadata: {name: c}\ndata:\n${data}\n`, 'yaml');
const CONTAINER = { name: 'c', image: 'i' };
const most = (count: number, length = 1, distinct = count): Shape => ({ count, length, distinct });

/** The validation of one object by its schema does not pause. docs/limits.md has its longest times. */
const WITHOUT_PAUSES: ReadonlySet<string> = new Set(['validation: durations', 'validation: patterns']);

const stage = (what: string, shape: Shape, make: CostlyStage['make']): CostlyStage => ({
  what,
  most: shape,
  make,
  pauses: !WITHOUT_PAUSES.has(what),
});

/** Every stage with a limit of this project. Expressions have upstream's budget, and patterns are limited by RE2. */
export const STAGES: readonly CostlyStage[] = [
  stage('decode JSON', most(48_000, 50), (s) => map({ data: fields(s.count, () => long(s)) })),
  stage('decode JSON: repeated fields', most(48_000, 400_000), ({ count, length, distinct }) =>
    raw(
      `{"metadata":{"name":"c"},"data":{"${'k'.repeat(length)}":{${times(count, (i) => `"k${i % distinct}":"x"`).join(',')}}}}`,
    ),
  ),
  stage('decode JSON: large numbers', most(40_000, 300), ({ count, length }) =>
    raw(`{"data":{${times(count, (i) => `"k${i}":${'9'.repeat(Math.min(length, 40))}`).join(',')}}}`),
  ),
  stage('decode YAML', most(48_000, 40), (s) => yaml(times(s.count, (i) => `  n${i}: ${long(s)}`).join('\n'))),
  stage('decode YAML: folded text', most(100_000, 20), (s) => yaml(`  a: >\n${`    ${long(s)}\n`.repeat(s.count)}`)),
  stage('decode YAML: aliases', most(20_000, 40), (s) =>
    yaml(
      [...times(s.count, (i) => `  n${i}: &a${i} ${long(s)}`), ...times(s.count, (i) => `  m${i}: *a${i}`)].join('\n'),
    ),
  ),
  stage('decode YAML: flow', most(48_000, 30), (s) =>
    yaml(`  {${times(s.count, (i) => `n${i}: ${long(s)}`).join(', ')}}`),
  ),
  stage('defaults', most(48_000), ({ count }) => custom({ defaulted: times(count, () => ({})) })),
  stage('defaults: few of many properties', most(48_000), ({ count }) => custom({ sparse: times(count, () => ({})) })),
  stage('pruning', most(48_000, 1_000_000), (s) => custom({ maps: { [long(s)]: fields(s.count, () => 1) } })),
  stage('unknown fields', most(48_000, 1_000_000), (s) => map({ [long(s)]: fields(s.count, () => 1) })),
  stage('managed fields: many managers', most(5000), ({ count }) =>
    managed(count, (i) => ({ fieldsV1: { 'f:data': { [`f:k${i}`]: {} } } })),
  ),
  stage('managed fields: keys of lists', most(40_000, 60), ({ count, length }) =>
    managed(1, () => ({ fieldsV1: { 'f:data': fields(count, () => ({}), `k:{"a":"${'x'.repeat(length)}"}`) } })),
  ),
  stage('apply: a set', most(48_000, 60), (s) =>
    applied({ set: times(s.count, (i) => `${long(s)}${i % s.distinct}`) }),
  ),
  stage('apply: a list by key', most(20_000, 60), (s) =>
    applied({ keyed: times(s.count, (i) => ({ a: `${long(s)}${i % s.distinct}` })) }),
  ),
  stage('apply: a map', most(48_000, 100_000), (s) => applied({ texts: { [long(s)]: fields(s.count, () => 'v') } })),
  stage('JSON patch: additions in front', most(9990), ({ count }) =>
    patch(
      'json-patch+json',
      times(count, () => ({ op: 'add', path: '/metadata/finalizers/0', value: 'a/b' })),
    ),
  ),
  stage('JSON patch: copies', most(9990), ({ count, distinct }) =>
    patch(
      'json-patch+json',
      times(count, (i) => ({ op: 'copy', from: '/data', path: `/data/c${i % distinct}` })),
    ),
  ),
  stage('merge patch', most(48_000, 40), (s) => patch('merge-patch+json', { data: fields(s.count, () => long(s)) })),
  stage('strategic merge: a list by key', most(10_000), ({ count, distinct }) =>
    patch('strategic-merge-patch+json', {
      metadata: {
        ownerReferences: times(count, (i) => ({ apiVersion: 'v1', kind: 'X', name: 'n', uid: `u${i % distinct}` })),
      },
    }),
  ),
  stage('strategic merge: an order', most(40_000), ({ count, distinct }) =>
    patch('strategic-merge-patch+json', {
      metadata: { '$setElementOrder/finalizers': times(count, (i) => `a/f${i % distinct}`) },
    }),
  ),
  stage('strategic merge: deletions', most(40_000), ({ count, distinct }) =>
    patch('strategic-merge-patch+json', {
      metadata: { '$deleteFromPrimitiveList/finalizers': times(count, (i) => `a/f${i % distinct}`) },
    }),
  ),
  stage('validation: required fields', most(48_000), ({ count }) => custom({ required: times(count, () => ({})) })),
  stage('validation: enum', most(48_000, 40), (s) => custom({ enumerated: times(s.count, () => long(s)) })),
  stage('validation: anyOf', most(48_000, 40), (s) => custom({ alternatives: times(s.count, () => long(s)) })),
  stage('validation: oneOf', most(48_000, 40), (s) => custom({ exclusive: times(s.count, () => long(s)) })),
  stage('validation: long paths', most(48_000, 1_000_000), (s) =>
    custom({ texts: { [long(s)]: fields(s.count, () => 1) } }),
  ),
  stage('validation: unique items', most(48_000, 40), (s) =>
    custom({ set: times(s.count, (i) => `${long(s)}${i % s.distinct}`) }),
  ),
  stage('validation: unique keys', most(24_000, 40), (s) =>
    custom({ keyed: times(s.count, (i) => ({ a: `${long(s)}${i % s.distinct}` })) }),
  ),
  stage('validation: URIs', most(10_000, 300), (s) => custom({ uris: times(s.count, () => 'a:/[%'.repeat(s.length)) })),
  stage('validation: e-mail addresses', most(10_000, 1000), (s) =>
    custom({ emails: times(s.count, () => 'a.@'.repeat(s.length)) }),
  ),
  stage('validation: durations', most(10_000, 1000), (s) =>
    custom({ durations: times(s.count, () => '1h'.repeat(s.length)) }),
  ),
  stage('validation: patterns', most(40_000, 60), (s) =>
    custom({ patterned: times(s.count, () => 'ab'.repeat(s.length)) }),
  ),
  stage('validation: labels', most(48_000, 60), (s) =>
    map({ metadata: { labels: fields(s.count, () => '!'.repeat(s.length), '!') } }),
  ),
  stage('validation: names of data', most(48_000), ({ count }) => map({ data: fields(count, () => 'v', '!') })),
  stage('validation: volumes and mounts', most(5000), ({ count, distinct }) =>
    pod({
      volumes: times(count, (i) => ({ name: `v${i % distinct}`, emptyDir: {} })),
      containers: [
        {
          ...CONTAINER,
          volumeMounts: times(count, (i) => ({ name: `v${i % distinct}`, mountPath: `/m${i % distinct}` })),
        },
      ],
    }),
  ),
  stage('validation: topology spread', most(7000), ({ count, distinct }) =>
    pod({
      containers: [CONTAINER],
      topologySpreadConstraints: times(count, (i) => ({
        maxSkew: 1,
        topologyKey: `k${i % distinct}`,
        whenUnsatisfiable: 'DoNotSchedule',
      })),
    }),
  ),
  stage('validation: scopes of a quota', most(20_000), ({ count, distinct }) =>
    quota({
      hard: fields(count, () => '1', 'hugepages-'),
      scopes: times(count, (i) => (i < distinct ? 'BestEffort' : 'Terminating')),
    }),
  ),
  stage('validation: quantities', most(20_000, 900), ({ count, length }) =>
    quota({ hard: fields(count, () => `${'9'.repeat(18)}e${length}`, 'count/') }),
  ),
  stage('label selectors', most(9990, 20), (s) =>
    query(`labelSelector=${times(s.count, (i) => `${long(s)}${i}!%3Db`).join(',')}`),
  ),
  stage('field selectors', most(9990), ({ count }) =>
    query(`fieldSelector=${times(count, (i) => `metadata.name!%3Db${i}`).join(',')}`),
  ),
  stage('query', most(100_000), ({ count }) => query(times(count, (i) => `a${i}=%41`).join('&'))),
  stage('media types', most(20_000), ({ count }) => ({
    path: MAPS,
    headers: { accept: times(count, () => 'application/json;as=Table;v=v9;g=x').join(',') },
  })),
];
