import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { JSON_TYPE, type Step, type Suite } from '../case.ts';
import type { Draw } from '../draw.ts';
import { mutated } from '../mutate.ts';

const RULES = [
  'self == oldSelf',
  'self.size() > 0',
  'size(self) < 10',
  'self >= 0',
  'self.startsWith("a")',
  'self.all(x, x != "")',
  'self.matches("^[a-z]+$")',
  'has(self.a)',
  'self.a == self.b',
  'self.unknown == 1',
  'self +',
  'true',
  'self.map(x, x).size() == self.size()',
  'duration(self) > duration("1s")',
];
const LEAVES: readonly JsonObject[] = [
  { type: 'string', minLength: 1, maxLength: 9 },
  { type: 'string', enum: ['a', 'b'], default: 'a' },
  { type: 'string', format: 'date-time' },
  { type: 'string', pattern: '^[a-z]+$' },
  { type: 'integer', format: 'int32', minimum: 0, maximum: 10, exclusiveMaximum: true },
  { type: 'integer', format: 'int64', multipleOf: 3, default: 6 },
  { type: 'number', minimum: 0.5 },
  { type: 'boolean', default: true },
  { type: 'string', nullable: true },
  { 'x-kubernetes-int-or-string': true },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'string', format: 'ipv4' },
  { type: 'string', format: 'byte' },
  { type: 'string', format: 'duration' },
];
const SAMPLES: readonly Json[] = [
  'a',
  'b',
  'abc',
  '',
  0,
  5,
  10,
  6,
  1.5,
  true,
  null,
  {},
  { a: 'a' },
  [],
  ['a'],
  ['a', 'a'],
  '2026-01-02T03:04:05Z',
  '10.0.0.1',
  'YQ==',
  '3s',
];

function schema(draw: Draw, depth: number): JsonObject {
  if (depth === 0 || draw.chance(0.4)) return withRule(draw, structuredClone(draw.pick(LEAVES)));
  switch (draw.between(0, 3)) {
    case 0:
      return withRule(draw, { type: 'array', maxItems: 5, items: schema(draw, depth - 1), ...listType(draw) });
    case 1:
      return withRule(draw, { type: 'object', maxProperties: 4, additionalProperties: schema(draw, depth - 1) });
    default:
      return withRule(draw, objectSchema(draw, depth));
  }
}

function objectSchema(draw: Draw, depth: number): JsonObject {
  const names = ['a', 'b', 'c'].slice(0, draw.between(1, 4));
  const properties = Object.fromEntries(names.map((name) => [name, schema(draw, depth - 1)]));
  return { type: 'object', properties, ...(draw.chance(0.3) ? { required: [draw.pick(names)] } : {}) };
}

const listType = (draw: Draw): JsonObject =>
  draw.chance(0.4) ? { 'x-kubernetes-list-type': draw.pick(['set', 'atomic', 'map']) } : {};

function withRule(draw: Draw, given: JsonObject): JsonObject {
  if (!draw.chance(0.25)) return given;
  return {
    ...given,
    'x-kubernetes-validations': [{ rule: draw.pick(RULES), ...(draw.chance(0.5) ? { message: 'not so' } : {}) }],
  };
}

function definition(draw: Draw, id: string): JsonObject {
  const columns = draw.several(0, 3, (i) => ({
    name: `C${i}`,
    type: draw.pick(['string', 'integer', 'date']),
    jsonPath: draw.pick(['.spec.a', '.spec.b[0]', '.spec..c', '.metadata.name']),
  }));
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: objectSchema(draw, 3) } } },
    ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${id}.example.com` },
    spec: {
      group: `${id}.example.com`,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [version],
    },
  };
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A random definition in a dry run. If it can be served, objects that match and do not match its schema. */
export const definitions: Suite = (draw, id) => {
  const whole = definition(draw, id);
  const body = JSON.stringify(draw.chance(0.4) ? mutated(draw, whole, 1) : whole);
  const asked: Step = { method: 'POST', path: `${DEFINITIONS}?dryRun=All`, headers: JSON_TYPE, body };
  if (draw.chance(0.6)) return { name: 'create a definition', steps: [asked] };
  return { name: 'define a kind and create its objects', steps: [asked, ...served(draw, id, JSON.stringify(whole))] };
};

function served(draw: Draw, id: string, body: string): Step[] {
  const things = `/apis/${id}.example.com/v1/namespaces/{ns}/things`;
  const name = `${DEFINITIONS}/things.${id}.example.com`;
  return [
    { method: 'POST', path: DEFINITIONS, headers: JSON_TYPE, body, ignored: true },
    // Neither server serves the kind of a rejected definition, so its path does not exist then.
    { method: 'GET', path: name, until: isSettled, part: ({ status }) => status },
    ...draw.several(
      3,
      8,
      (i): Step => ({
        method: 'POST',
        path: `${things}?dryRun=All`,
        headers: JSON_TYPE,
        body: JSON.stringify(thing(draw, id, i)),
      }),
    ),
    { method: 'DELETE', path: name, ignored: true },
  ];
}

/**
 * Whether the definition was rejected, or is established. Upstream then serves it, because it waits five seconds after a change of names.
 */
function isSettled({ status, body }: { readonly status: number; readonly body: unknown }): boolean {
  return status === 404 || JSON.stringify(body).includes('"Established"');
}

function thing(draw: Draw, id: string, index: number): JsonObject {
  const spec = Object.fromEntries(
    ['a', 'b', 'c', 'd'].filter(() => draw.chance(0.6)).map((name): [string, Json] => [name, value(draw, 2)]),
  );
  return { apiVersion: `${id}.example.com/v1`, kind: 'Thing', metadata: { name: `t${index}` }, spec };
}

function value(draw: Draw, depth: number): Json {
  if (depth === 0 || draw.chance(0.5)) return structuredClone(draw.pick(SAMPLES));
  if (draw.chance(0.5)) return draw.several(0, 3, () => value(draw, depth - 1));
  return Object.fromEntries(['a', 'b'].map((name): [string, Json] => [name, value(draw, depth - 1)]));
}
