import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { traitsOf } from '#lib/api/schema/traits.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import {
  arrayAt,
  equal,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  setField,
  stringAt,
} from '#lib/machinery/json-value.ts';
import { finished } from '#lib/machinery/steps.ts';
import { errorBody, type FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { validateObjectMeta } from '#lib/machinery/validation/object-meta.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { skipUnless } from '#test/support/skip.ts';
import { type ServedCustomResource, servedVersions } from './custom-resource/served.ts';
import { parseDefinition, someSchema } from './definition.ts';
import { customResourceDefinition, validationSteps } from './strategy.ts';

const fixtures = process.env['DAVIT_FIXTURES'];

function* recorded(name: string): Generator<JsonObject> {
  const text = gunzipSync(readFileSync(join(fixtures ?? '', 'corpus', `${name}.jsonl.gz`))).toString();
  for (const line of text.trimEnd().split('\n')) {
    const { value } = decodeJson(Buffer.from(line));
    if (isObject(value)) yield value;
  }
}

const METADATA = FieldPath.of('metadata');
const context = aRequestContext();
const codeOf = (entry: JsonObject): number => Number(entry['code']);
const causesOf = (entry: JsonObject): JsonObject[] => arrayAt(entry, 'causes').filter(isObject);
const expectedTexts = (entry: JsonObject): string[] =>
  causesOf(entry).map((cause) => withoutNumber(`${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`));
/** Upstream numbers the type of `self` by the clock. */
const withoutNumber = (text: string): string => text.replace(/selfType\d+/g, 'selfType');
const textsOf = (errors: readonly FieldError[]): string[] =>
  errors.map((error) => `${error.field}: ${errorBody(error)}`);
const sameSet = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  equal([...new Set(a)].sort() as Json, [...new Set(b)].sort() as Json);

/** Counts comparisons and matches, and keeps the first differences. */
class Tally {
  readonly #counts = new Map<string, { equal: number; all: number }>();
  readonly differences: string[] = [];

  add(name: string, isEqual: boolean, difference: () => string): void {
    const count = this.#counts.get(name) ?? { equal: 0, all: 0 };
    this.#counts.set(name, { equal: count.equal + (isEqual ? 1 : 0), all: count.all + 1 });
    if (!isEqual && this.differences.length < 5) this.differences.push(`${name}: ${difference()}`);
  }

  /** Returns the differing counts. Comparing nothing also counts as a difference. */
  get unequal(): string[] {
    if (this.#counts.size === 0) return ['nothing was compared'];
    return [...this.#counts].filter(([, count]) => count.equal < count.all).map(([name]) => name);
  }

  print(title: string): void {
    const parts = [...this.#counts].map(([name, count]) => `${name} ${count.equal}/${count.all}`);
    console.log([`${title}: ${parts.join(', ')}`, ...this.differences].join('\n  '));
  }
}

function compare(tally: Tally, entry: JsonObject, errors: readonly FieldError[]): void {
  const refused = codeOf(entry) >= 300;
  const show = (): string => `${stringAt(entry, 'message') ?? ''} <> ${textsOf(errors).join('; ')}`.slice(0, 500);
  tally.add('verdicts', refused === errors.length > 0, show);
  if (!refused || errors.length === 0) return;
  tally.add(
    'fields',
    sameSet(
      causesOf(entry).map((cause) => cause['field']),
      errors.map(({ field }) => field),
    ),
    show,
  );
  tally.add('texts', sameSet(expectedTexts(entry), textsOf(errors)), show);
}

function createDefinition(crd: JsonObject): FieldError[] {
  customResourceDefinition.default?.(crd);
  customResourceDefinition.prepareForCreate?.(crd, context);
  const metadata = objectAt(crd, 'metadata') ?? {};
  return [
    ...validateObjectMeta(metadata, { namespaced: false, validateName: nameIsDNSSubdomain, path: METADATA }),
    ...finished(validationSteps(crd, undefined)),
  ];
}

describe('requests recorded from upstream', skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'), () => {
  test('accept and reject the same definitions', () => {
    const tally = new Tally();
    for (const entry of recorded('crds')) compare(tally, entry, createDefinition(objectAt(entry, 'crd') ?? {}));
    tally.print('definitions');
    expect(tally.unequal).toEqual([]);
  });

  test('return the same errors for definitions with one mistake', () => {
    const tally = new Tally();
    for (const entry of recorded('crd-mutants')) {
      const errors = createDefinition(objectAt(entry, 'crd') ?? {});
      compare(tally, entry, errors);
    }
    tally.print('mutants');
    expect(tally.unequal).toEqual([]);
  });

  test('return the same responses for custom resources', () => {
    const definitions = establishedDefinitions();
    const tally = new Tally();
    const withRules = new Tally();
    for (const entry of recorded('objects')) {
      const served = definitions.get(`${stringAt(entry, 'crd')}/${stringAt(entry, 'path')?.split('/')[3]}`);
      if (served === undefined) throw new Error(`no definition of ${stringAt(entry, 'crd')}`);
      create(entry, served, served.rules ? withRules : tally);
    }
    tally.print('objects');
    withRules.print('objects of kinds with rules');
    expect([tally.unequal, withRules.unequal]).toEqual([[], []]);
  });
});

interface Served extends ServedCustomResource {
  /** Whether the definition has CEL rules. */
  readonly rules: boolean;
}

function establishedDefinitions(): Map<string, Served> {
  const all = new Map<string, Served>();
  for (const entry of recorded('crds')) {
    const crd = objectAt(entry, 'crd') ?? {};
    if (codeOf(entry) >= 300) continue;
    customResourceDefinition.default?.(crd);
    setField(crd, 'status', { acceptedNames: objectAt(objectAt(crd, 'spec'), 'names') ?? {} });
    const rules = someSchema(parseDefinition(crd), (schema) => traitsOf(schema).validations);
    const name = stringAt(objectAt(crd, 'metadata'), 'name');
    for (const served of servedVersions(crd)) all.set(`${name}/${served.kind.version}`, { ...served, rules });
  }
  return all;
}

function create(entry: JsonObject, { scheme, strategy, namespaced }: Served, tally: Tally): void {
  const { object } = scheme.decode(objectAt(entry, 'object') ?? {});
  scheme.default(object);
  const metadata = objectAt(object, 'metadata') ?? {};
  const namespace = /\/namespaces\/([^/]+)\//.exec(stringAt(entry, 'path') ?? '')?.[1];
  if (namespace === undefined) delete metadata['namespace'];
  else metadata['namespace'] = namespace;
  strategy.prepareForCreate?.(object, context);
  const errors = [
    ...validateObjectMeta(metadata, { namespaced, validateName: nameIsDNSSubdomain, path: METADATA }),
    ...(strategy.validate?.(object) ?? []),
  ];
  compare(tally, entry, errors);
  const out = objectAt(entry, 'out');
  if (out === undefined || errors.length > 0) return;
  const result = scheme.fromStored(scheme.toStored(object));
  tally.add(
    'results',
    equal(withoutServerFields(result), withoutServerFields(out)),
    () => stringAt(entry, 'crd') ?? '',
  );
}

function withoutServerFields(object: JsonObject): JsonObject {
  const { name, namespace, labels, annotations } = objectAt(object, 'metadata') ?? {};
  const kept = Object.entries({ name, namespace, labels, annotations }).filter(([, value]) => value !== undefined);
  return { ...object, metadata: Object.fromEntries(kept) as JsonObject };
}
