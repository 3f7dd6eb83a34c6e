import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import type { Sent } from '#test/clients/integration/apiserver/front-door.ts';

const COUNT = 48_000;
const names = (count = COUNT): string[] => Array.from({ length: count }, (_, i) => `n${i}`);
const map = (count = COUNT, value: (i: number) => unknown = () => 'v'): Record<string, unknown> =>
  Object.fromEntries(names(count).map((name, i) => [name, value(i)]));

const HERE = '/api/v1/namespaces/default';
const MAPS = `${HERE}/configmaps`;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/large.example.com/v1/namespaces/default/things';
const of = (type: string): Record<string, string> => ({ 'content-type': `application/${type}` });
const text = { type: 'string' };

const thing = (name: string, spec: unknown): JsonObject =>
  ({ apiVersion: 'large.example.com/v1', kind: 'Thing', metadata: { name }, spec }) as JsonObject;

function definition(plural: string, spec: unknown): JsonObject {
  const accepted = {
    plural,
    singular: plural,
    kind: plural === 'things' ? 'Thing' : 'Large',
    listKind: `${plural}List`,
  };
  const made = aDefinition({ names: accepted, group: 'large.example.com' }, {
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  } as JsonObject);
  return { ...made, metadata: { name: `${plural}.large.example.com` } };
}

const condition = { status: 'True', reason: 'Test', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
const ESTABLISHED: JsonObject = {
  status: {
    acceptedNames: { plural: 'things', singular: 'things', kind: 'Thing', listKind: 'thingsList' },
    storedVersions: ['v1'],
    conditions: ['NamesAccepted', 'Established'].map((type) => ({ ...condition, type })),
  },
};

/** Requests to send first: they create a kind with every sort of list and map, and a map to patch. */
export const PREPARED: readonly Sent[] = [
  { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'default' } } },
  { method: 'POST', path: MAPS, body: { metadata: { name: 'small' }, data: { a: 'b' } } },
  {
    method: 'POST',
    path: DEFINITIONS,
    body: definition('things', {
      type: 'object',
      properties: {
        map: { type: 'object', additionalProperties: text },
        set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: text } },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    }),
  },
  {
    method: 'PATCH',
    path: `${DEFINITIONS}/things.large.example.com/status`,
    headers: of('merge-patch+json'),
    body: ESTABLISHED,
  },
];

const large = (fields: Record<string, unknown>): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'large' },
  ...fields,
});
const write = (method: string, path: string, body: JsonObject, type = 'json'): Sent => ({
  method,
  path,
  body: JSON.stringify(body),
  headers: of(type),
});
const apply = (path: string, body: JsonObject, manager: string): Sent =>
  write('PATCH', `${path}?fieldManager=${manager}&force=true`, body, 'apply-patch+yaml');

/** Requests near the limits on fields and items, each with a description. They are sent one after another. */
export const LARGE: readonly (readonly [what: string, sent: Sent])[] = [
  ['a map is created', write('POST', MAPS, large({ data: map() }))],
  ['it is updated', write('PUT', `${MAPS}/large`, large({ data: map(COUNT, () => 'w') }))],
  [
    'it is merged into',
    write('PATCH', `${MAPS}/large`, { data: map(COUNT, () => 'x') } as JsonObject, 'merge-patch+json'),
  ],
  [
    'the same, strategically',
    write('PATCH', `${MAPS}/large`, { data: map(COUNT, () => 'y') } as JsonObject, 'strategic-merge-patch+json'),
  ],
  ['it is applied', apply(`${MAPS}/large`, large({ data: map(COUNT, () => 'y') }), 'one')],
  ['it is applied by another', apply(`${MAPS}/large`, large({ data: map(COUNT, () => 'z') }), 'two')],
  [
    'a map is applied anew',
    apply(`${MAPS}/applied`, { ...large({ data: map() }), metadata: { name: 'applied' } }, 'one'),
  ],
  ['a map of YAML', { method: 'POST', path: MAPS, headers: of('yaml'), body: yaml() }],
  ['labels', write('POST', MAPS, large({ metadata: { name: 'l', labels: map() } }))],
  ['annotations', write('POST', MAPS, large({ metadata: { name: 'a', annotations: map() } }))],
  ['finalizers', write('POST', MAPS, large({ metadata: { name: 'f', finalizers: names().map((n) => `a/${n}`) } }))],
  ['merged labels', write('PATCH', `${MAPS}/small`, { metadata: { labels: map() } } as JsonObject, 'merge-patch+json')],
  ['fields that there are not', write('POST', MAPS, { ...large(map()), metadata: { name: 'u' } })],
  ['managed fields', write('POST', MAPS, large({ metadata: { name: 'm', managedFields: managed() } }))],
  ['a custom map', write('POST', THINGS, thing('a', { map: map() }))],
  ['a custom set', write('POST', THINGS, thing('b', { set: names() }))],
  ['a custom list by key', write('POST', THINGS, thing('c', { keyed: names(COUNT / 2).map((name) => ({ name })) }))],
  ['custom fields of no schema', write('POST', THINGS, thing('d', { free: map() }))],
  ['custom fields that there are not', write('POST', THINGS, thing('e', map()))],
  [
    'a custom list is applied',
    apply(`${THINGS}/f`, thing('f', { keyed: names(COUNT / 2).map((name) => ({ name })) }), 'one'),
  ],
  ['a custom map is applied', apply(`${THINGS}/g`, thing('g', { map: map() }), 'one')],
  [
    'a patch with a large value',
    write(
      'PATCH',
      `${MAPS}/small`,
      [{ op: 'add', path: '/data', value: map() }] as unknown as JsonObject,
      'json-patch+json',
    ),
  ],
  [
    'a definition of many schemas',
    write(
      'POST',
      `${DEFINITIONS}?dryRun=All`,
      definition('larges', { type: 'object', properties: map(COUNT / 2, () => text) }),
    ),
  ],
  [
    'a definition of many lists',
    write(
      'POST',
      `${DEFINITIONS}?dryRun=All`,
      definition('larges', { type: 'object', properties: map(COUNT / 4, () => ({ type: 'array', items: text })) }),
    ),
  ],
  [
    'a definition of many rules',
    write(
      'POST',
      `${DEFINITIONS}?dryRun=All`,
      definition('larges', {
        ...text,
        maxLength: 10,
        'x-kubernetes-validations': names(5000).map((name) => ({ rule: `self != "${name}"` })),
      }),
    ),
  ],
];

function yaml(): string {
  const data = names().map((name) => `  ${name}: v`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata:\n${data.join('\n')}\n`;
}

function managed(): unknown[] {
  const fieldsV1 = { 'f:data': Object.fromEntries(names(COUNT / 2).map((name) => [`f:${name}`, {}])) };
  return [
    {
      manager: 'm',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      time: '2026-01-01T00:00:00Z',
      fieldsV1,
    },
  ];
}
