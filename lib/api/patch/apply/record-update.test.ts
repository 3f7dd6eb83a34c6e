import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StatusError } from '#lib/machinery/errors.ts';
import { arrayAt, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { type Apply, applyPatch } from './apply-patch.ts';
import { typedSchema } from './kind-schema.ts';
import { recordUpdate, type Update } from './record-update.ts';
import { resetFields } from './reset-fields.ts';
import { DEDUCED } from './schema.ts';

const schema = typedSchema({ group: '', version: 'v1', kind: 'ConfigMap' });
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second, 789));

const configMap = (data: Record<string, string>, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'ns', ...metadata },
  data,
});

const update = (live: JsonObject | undefined, updated: JsonObject, rest: Partial<Update> = {}): JsonObject =>
  recordUpdate({
    live: live ?? {},
    updated,
    manager: 'm',
    schema,
    apiVersion: 'v1',
    now: at(0),
    isCreate: live === undefined,
    ...rest,
  });

const apply = (live: JsonObject | undefined, applied: JsonObject, rest: Partial<Apply> = {}): JsonObject =>
  applyPatch({
    live: live ?? {},
    applied,
    manager: 'm',
    force: false,
    schema,
    apiVersion: 'v1',
    now: at(0),
    isCreate: live === undefined,
    ...rest,
  });

const entries = (object: JsonObject): JsonObject[] =>
  arrayAt(objectAt(object, 'metadata'), 'managedFields') as JsonObject[];
const names = (object: JsonObject): Json[] => entries(object).map((entry) => entry['manager'] as Json);
const withData = (object: JsonObject, data: JsonObject): JsonObject => ({ ...object, data });

describe('entries of managedFields', () => {
  test("let a create own all its fields, in upstream's encoding", () => {
    const created = update(
      undefined,
      configMap({ b: '1', a: '2' }, { labels: { l: '1' }, uid: 'u', resourceVersion: '1' }),
    );
    expect(JSON.stringify(entries(created))).toBe(
      '[{"manager":"m","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1",' +
        '"fieldsV1":{"f:data":{".":{},"f:a":{},"f:b":{}},"f:metadata":{"f:labels":{".":{},"f:l":{}}}}}]',
    );
  });

  test('leave structs unowned that exist in the zero value of a built-in kind', () => {
    const deployments = typedSchema({ group: 'apps', version: 'v1', kind: 'Deployment' });
    const spec = {
      replicas: 1,
      selector: {},
      template: { spec: { containers: [{ name: 'c' }] } },
      strategy: { type: 'X' },
    };
    const created = update(
      undefined,
      { metadata: {}, spec, status: {} },
      { schema: deployments, apiVersion: 'apps/v1' },
    );
    expect(entries(created)[0]?.['fieldsV1']).toEqual({
      'f:spec': {
        'f:replicas': {},
        'f:selector': {},
        'f:strategy': { 'f:type': {} },
        'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {} } } } },
      },
    });
  });

  test('keep their time after a write that changes nothing', () => {
    const created = update(undefined, configMap({ a: '1' }));
    expect(update(created, created, { now: at(9), manager: 'other' })).toEqual(created);
  });

  test('get a new time only for the manager of a write that changes something', () => {
    const first = update(undefined, configMap({ a: '1', b: '1' }));
    const second = update(first, withData(first, { a: '2', b: '1' }), { now: at(9), manager: 'n' });
    expect(entries(second).map((entry) => [entry['manager'], entry['time']])).toEqual([
      ['m', '2026-01-01T00:00:00Z'],
      ['n', '2026-01-01T00:00:09Z'],
    ]);
  });

  test('are sorted with appliers first, then by time, then by name', () => {
    const first = update(undefined, configMap({ a: '1' }), { now: at(5), manager: 'z' });
    const second = update(first, withData(first, { a: '1', b: '1' }), { now: at(1), manager: 'y' });
    const third = update(second, withData(second, { a: '1', b: '1', c: '1' }), { now: at(5), manager: 'b' });
    expect(names(apply(third, configMap({ d: '1' }), { manager: 'x', now: at(9) }))).toEqual(['x', 'y', 'b', 'z']);
  });

  test('name a manager without a name unknown', () => {
    expect(names(update(undefined, configMap({ a: '1' }), { manager: '' }))).toEqual(['unknown']);
  });

  test('are separate per operation, version and subresource', () => {
    const created = update(undefined, configMap({ a: '1' }));
    const applied = apply(created, configMap({ b: '1' }));
    const status = update(applied, withData(applied, { a: '1', b: '1', c: '1' }), { subresource: 'status' });
    expect(entries(status).map((entry) => [entry['operation'], entry['subresource']])).toEqual([
      ['Apply', undefined],
      ['Update', undefined],
      ['Update', 'status'],
    ]);
  });

  test('merge the two oldest of eleven updaters as ancient changes', () => {
    let live = update(undefined, configMap({ k: '0' }), { manager: 'm0' });
    for (let i = 1; i <= 11; i++) {
      const data = { ...objectAt(live, 'data'), [`k${i}`]: 'x' };
      live = update(live, withData(live, data), { manager: `m${i}`, now: at(i) });
    }
    expect(names(live)).toEqual(['ancient-changes', ...Array.from({ length: 9 }, (_, i) => `m${i + 3}`)]);
    expect(entries(live)[0]).toMatchObject({
      time: '2026-01-01T00:00:02Z',
      fieldsV1: { 'f:data': { '.': {}, 'f:k': {}, 'f:k1': {}, 'f:k2': {} } },
    });
  });
});

describe('managedFields in a write', () => {
  const live = update(undefined, configMap({ a: '1' }));
  const given = (managedFields: Json): JsonObject => configMap({ a: '1' }, { managedFields });
  const entry = {
    manager: 'x',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': {} },
  };

  test.each<[string, Json, Json[]]>([
    ['absent: the stored ones stay', null, ['m']],
    ['an empty list resets them', [], []],
    ['one empty entry resets them', [{}], []],
    ['valid ones are taken', [entry], ['x']],
    ['without a manager', [{ ...entry, manager: '' }], [undefined as unknown as Json]],
    ['a wrong operation: the stored ones stay', [{ ...entry, operation: 'Patch' }], ['m']],
    ['no version: the stored ones stay', [{ ...entry, apiVersion: '' }], ['m']],
    ['no type: the stored ones stay', [{ ...entry, fieldsType: '' }], ['m']],
    ['an unknown type: the stored ones stay', [{ ...entry, fieldsType: 'V2' }], ['m']],
    ['unreadable fields: the stored ones stay', [{ ...entry, fieldsV1: { x: {} } }], ['m']],
    ['another version, where all look the same', [{ ...entry, apiVersion: 'v9' }], ['x']],
    ['an entry that is no object: the stored ones stay', [7], ['m']],
  ])('set the managers: %s', (_, managedFields, expected) => {
    expect(names(update(live, given(managedFields)))).toEqual(expected);
  });

  test('are not set by a subresource', () => {
    expect(names(update(live, given([entry]), { subresource: 'status' }))).toEqual(['m']);
  });

  test('stay absent for an object that has none', () => {
    const untracked = configMap({ a: '1' });
    expect(update(untracked, withData(untracked, { a: '2' }))).toEqual(withData(untracked, { a: '2' }));
  });

  test('are removed from an object that does not have its type', () => {
    expect(update(live, { ...configMap({}), nope: { a: 1 } })).toEqual({ ...configMap({}), nope: { a: 1 } });
  });
});

describe('server-side apply', () => {
  test('assigns the existing fields to before-first-apply on the first apply', () => {
    const applied = apply(configMap({ a: '1' }), configMap({ b: '1' }));
    expect(entries(applied).map((entry) => [entry['manager'], entry['fieldsV1']])).toEqual([
      ['m', { 'f:data': { 'f:b': {} } }],
      ['before-first-apply', { 'f:data': { '.': {}, 'f:a': {} } }],
    ]);
    expect(() => apply(configMap({ a: '1' }), configMap({ a: '2' }))).toThrow(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
    );
  });

  test('keeps the time of an apply that changes nothing, and has none for a new manager then', () => {
    const first = apply(undefined, configMap({ a: '1' }));
    expect(apply(first, configMap({ a: '1' }), { now: at(9) })).toEqual(first);
    const second = apply(first, configMap({ a: '1' }), { now: at(9), manager: 'n' });
    expect(entries(second).map((entry) => entry['time'])).toEqual([undefined, '2026-01-01T00:00:00Z']);
  });

  test('reports a conflict with manager, subresource, version and field, and one cause each', () => {
    const status = update(undefined, configMap({ a: '1', b: '1' }), { subresource: 'status' });
    const shared = apply(status, configMap({ a: '1' }), { manager: 'n' });
    const run = (): JsonObject => apply(shared, configMap({ a: '2', b: '2' }), { manager: 'x' });
    const text =
      'Apply failed with 3 conflicts: conflicts with "m" with subresource "status" using v1:\n- .data.a\n- .data.b\nconflicts with "n":\n- .data.a';
    const cause = (message: string, field: string): object => ({ reason: 'FieldManagerConflict', message, field });
    const causes = [
      cause('conflict with "m" with subresource "status" using v1', '.data.a'),
      cause('conflict with "m" with subresource "status" using v1', '.data.b'),
      cause('conflict with "n"', '.data.a'),
    ];
    expect(run).toThrow(new StatusError('Conflict', text, { causes }));
  });

  test.each<[string, Json, string]>([
    ['managedFields', [], 'metadata.managedFields must be nil'],
    ['an empty entry', [{}], 'metadata.managedFields must be nil'],
  ])('rejects a configuration with %s', (_, managedFields, message) => {
    expect(() => apply(undefined, configMap({}, { managedFields }))).toThrow(new StatusError('BadRequest', message));
  });

  test('rejects malformed stored managedFields', () => {
    const live = configMap({}, { managedFields: [{ manager: 'x', operation: 'Y' }] });
    expect(() => apply(live, configMap({}))).toThrow(
      'failed to decode managed fields: operation must be `Apply` or `Update`',
    );
  });

  test('keeps one entry for an applier that changes its version', () => {
    const first = apply(undefined, configMap({ a: '1', b: '1' }));
    const second = apply(first, configMap({ b: '1' }), { apiVersion: 'v2', now: at(1) });
    expect(entries(second)).toHaveLength(1);
    expect(second['data']).toEqual({ b: '1' });
  });

  test("detects conflicts and prunes in each manager's own version", () => {
    const renamed = (data: JsonObject): JsonObject =>
      Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key.startsWith('_') ? key.slice(1) : `_${key}`, value]),
      );
    const convert: Apply['convert'] = (from, apiVersion) => ({
      ...from,
      apiVersion,
      object: withData(from.object, renamed(objectAt(from.object, 'data') ?? {})),
    });
    const first = apply(undefined, configMap({ a: '1', b: '1' }));
    const live = withData(first, { _a: '1', _b: '1' });
    const v2 = { apiVersion: 'v2', convert, now: at(1) };
    const run = (): JsonObject => apply(live, configMap({ _a: '2' }), { ...v2, manager: 'n' });
    expect(run).toThrow('Apply failed with 1 conflict: conflict with "m": .data.a');
    expect(apply(live, configMap({ _b: '1' }), v2)['data']).toEqual({ _b: '1' });
    expect(entries(update(live, withData(live, { _a: '1', _b: '2' }), { ...v2, manager: 'u' }))).toMatchObject([
      { manager: 'm', apiVersion: 'v1', fieldsV1: { 'f:data': { 'f:a': {} } } },
      { manager: 'u', apiVersion: 'v2', fieldsV1: { 'f:data': { 'f:_b': {} } } },
    ]);
  });

  test('drops entries of managers whose version no longer exists', () => {
    const first = apply(undefined, configMap({ a: '1' }));
    const gone = { apiVersion: 'v2', manager: 'n', convert: () => undefined };
    expect(names(apply(first, configMap({ a: '2' }), gone))).toEqual(['n']);
    expect(names(update(first, withData(first, { a: '2' }), gone))).toEqual(['n']);
  });

  test('assigns the whole field to an owner of a part after it became atomic', () => {
    const granular = apply(undefined, configMap({ a: '1', b: '2' }), { schema: DEDUCED });
    const data = { type: { map: { atomic: true, fields: new Map(), values: { scalar: 'string' } } } } as const;
    const atomic = {
      map: { ...schema.map, atomic: false, fields: new Map([...(schema.map?.fields ?? []), ['data', data]]) },
    };
    const next = update(granular, granular, { schema: atomic, now: at(4) });
    expect(entries(next)[0]?.['fieldsV1']).toEqual({ 'f:data': {} });
  });
});

describe('migration of kubectl to server-side apply', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const last = (data: JsonObject): JsonObject => ({
    annotations: { [annotation]: JSON.stringify(configMap(data as never)) },
  });
  const live = update(undefined, configMap({ a: '1', b: '1' }, last({ a: '1', b: 'x' })), {
    manager: 'kubectl-client-side-apply',
  });

  test('has no conflict about fields of the annotation, and updates the annotation', () => {
    const applied = apply(live, configMap({ a: '2' }), { manager: 'kubectl' });
    expect(applied['data']).toEqual({ a: '2', b: '1' });
    const annotations = objectAt(objectAt(applied, 'metadata'), 'annotations');
    expect(annotations?.[annotation]).toBe(
      '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"c","namespace":"ns"}}\n',
    );
  });

  test('has a conflict about a field that has changed since', () => {
    expect(() => apply(live, configMap({ a: '2', b: '2' }), { manager: 'kubectl' })).toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.b',
    );
  });

  test('does not exempt another manager from conflicts', () => {
    expect(() => apply(live, configMap({ a: '2' }))).toThrow('using v1: .data.a');
  });
});

describe('fields that an endpoint resets', () => {
  const pods = { group: '', resource: 'pods' };
  const things = { group: 'x.io', resource: 'things' };
  test.each([
    ['the main resource', { resource: pods, subresource: '', hasStatus: true, custom: false }, ['f:status']],
    ['one without a status', { resource: pods, subresource: '', hasStatus: false, custom: false }, undefined],
    [
      'the status of a pod',
      { resource: pods, subresource: 'status', hasStatus: true, custom: false },
      ['f:spec', 'f:metadata'],
    ],
    [
      'a custom status',
      { resource: things, subresource: 'status', hasStatus: true, custom: true },
      ['f:spec', 'f:metadata'],
    ],
    ['another subresource', { resource: pods, subresource: 'resize', hasStatus: true, custom: false }, undefined],
  ])('depend on the endpoint: %s', (_, endpoint, expected) => {
    const set = resetFields(endpoint);
    expect(set && Object.keys(set)).toEqual(expected);
  });

  test('stay without an owner after the write', () => {
    const ignored = { 'f:data': {} };
    expect(entries(update(undefined, configMap({ a: '1' }), { resetFields: ignored }))).toEqual([]);
    expect(entries(apply(undefined, configMap({ a: '1' }), { resetFields: ignored }))).toEqual([]);
  });
});

test('changes nothing when an apply is repeated, and never changes its inputs', () => {
  const data = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'c'), fc.constantFrom('1', '2'));
  fc.assert(
    fc.property(data, data, data, (start, first, second) => {
      const live = update(undefined, configMap(start), { manager: 'u' });
      const once = apply(live, configMap(first), { force: true });
      const inputs = JSON.stringify([live, once]);
      const twice = apply(once, configMap(second), { force: true, now: at(1) });
      expect(apply(twice, configMap(second), { force: true, now: at(2) })).toEqual(twice);
      const ours = Object.keys(first).filter((key) => !Object.hasOwn(second, key) && !Object.hasOwn(start, key));
      expect(Object.keys(objectAt(twice, 'data') ?? {}).filter((key) => ours.includes(key))).toEqual([]);
      expect(JSON.stringify([live, once])).toBe(inputs);
    }),
  );
});

/** Returns entries of updaters that each own a different key of `data`. */
const updaters = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, i) => ({
    manager: `m${i}`,
    operation: 'Update',
    apiVersion: 'v1',
    time: timestampOf(i),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
  }));
const timestampOf = (second: number): string => `${at(second).toISOString().slice(0, 19)}Z`;

test('joins 10,000 updaters into one entry without a union for each of them', () => {
  const many = updaters(10_000);
  const data = Object.fromEntries(many.map((_, i) => [`k${i}`, 'v']));
  const live = configMap(data, { managedFields: many });
  const after = entries(update(live, configMap({ ...data, more: 'v' }, { managedFields: many }), { now: at(20_000) }));
  expect(names({ metadata: { managedFields: after } }).sort()).toEqual(
    ['ancient-changes', 'm', ...many.slice(-8).map(({ manager }) => String(manager))].sort(),
  );
  const bucket = after.find(({ manager }) => manager === 'ancient-changes');
  expect(Object.keys(objectAt(objectAt(bucket, 'fieldsV1'), 'f:data') ?? {})).toHaveLength(10_000 - 8);
});
