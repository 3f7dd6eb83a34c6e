import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { traitsOf } from '#lib/api/schema/traits.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { clone, isObject, type JsonObject, objectAt, setField, stringAt } from '#lib/machinery/json-value.ts';
import { type ServedCustomResource, servedVersions } from '#lib/server/apiextensions/custom-resource/served.ts';
import { customResourceDefinition } from '#lib/server/apiextensions/strategy.ts';
import { measureRules } from './rules.ts';

function recorded(fixtures: string, name: string): JsonObject[] {
  const text = gunzipSync(readFileSync(join(fixtures, 'corpus', `${name}.jsonl.gz`))).toString();
  const lines = text.trimEnd().split('\n');
  const accepted = lines.map((line) => decodeJson(Buffer.from(line)).value).filter(isObject);
  return accepted.filter(({ code }) => Number(code) < 300);
}

/**
 * Measures in this process the checks and compilation of real definitions, and the validation of their objects and rules. DAVIT_FIXTURES
 * contains the definitions.
 */
export function measureSchemas(): void {
  const fixtures = process.env['DAVIT_FIXTURES'];
  if (fixtures === undefined) {
    console.log('DAVIT_FIXTURES names no folder with recorded definitions');
    return;
  }
  const definitions = recorded(fixtures, 'crds').map((entry) => objectAt(entry, 'crd') ?? {});
  measureDefinitionChecks(definitions);
  measureCompiling(definitions);
  measureObjects(definitions, recorded(fixtures, 'objects'));
  measureRules();
}

/** Compiles everything that a version needs to accept an object: schemas, rules, and the types for structured merge. */
function measureCompiling(definitions: readonly JsonObject[]): void {
  const compile = (crd: JsonObject): number => {
    const copy = clone(crd);
    setField(copy, 'status', { acceptedNames: objectAt(objectAt(copy, 'spec'), 'names') ?? {} });
    return micros(() => servedVersions(copy).forEach(takeOne), 1) / 1000;
  };
  for (const crd of definitions.slice(0, 200)) compile(crd);
  print('compiling one definition', definitions.map(leastOf(compile)));
}

/** Measures long runs three times and uses the minimum, because other load and garbage collections only add time. */
const leastOf =
  (measure: (crd: JsonObject) => number) =>
  (crd: JsonObject): number => {
    const first = measure(crd);
    return first < 10 ? first : Math.min(first, measure(crd), measure(crd));
  };

function takeOne({ scheme, strategy }: ServedCustomResource): void {
  const { object } = scheme.decode({ metadata: { name: 'a' }, spec: {} });
  scheme.default(object);
  strategy.validate?.(object);
  void scheme.typed;
}

function print(what: string, unsorted: readonly number[]): void {
  const times = unsorted.toSorted((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? Number.NaN).toFixed(2);
  console.log(`${what}: median ${at(0.5)} ms (bar 2), most ${at(1)} ms (bar 200), of ${times.length}`);
}

/** Measures the checks of structure, defaults, rules and estimated rule costs. */
function measureDefinitionChecks(definitions: readonly JsonObject[]): void {
  const check = (crd: JsonObject): number => {
    const copy = clone(crd);
    return micros(() => customResourceDefinition.validate?.(copy), 1) / 1000;
  };
  for (const crd of definitions.slice(0, 200)) check(crd);
  print('checking one definition', definitions.map(leastOf(check)));
}

interface Sample {
  readonly served: ServedCustomResource;
  readonly object: JsonObject;
  readonly size: number;
  readonly rules: boolean;
}

function measureObjects(definitions: readonly JsonObject[], entries: readonly JsonObject[]): void {
  const byName = new Map<string, ServedCustomResource>();
  for (const crd of definitions) {
    setField(crd, 'status', { acceptedNames: objectAt(objectAt(crd, 'spec'), 'names') ?? {} });
    const name = stringAt(objectAt(crd, 'metadata'), 'name');
    for (const served of servedVersions(crd)) byName.set(`${name}/${served.kind.version}`, served);
  }
  const samples = entries.flatMap((entry) => sampleOf(entry, byName));
  for (const rules of [false, true])
    report(
      samples.filter((sample) => sample.rules === rules),
      rules,
    );
}

function sampleOf(entry: JsonObject, byName: ReadonlyMap<string, ServedCustomResource>): Sample[] {
  const served = byName.get(`${stringAt(entry, 'crd')}/${stringAt(entry, 'path')?.split('/')[3]}`);
  if (served === undefined) return [];
  const { object } = served.scheme.decode(objectAt(entry, 'object') ?? {});
  served.scheme.default(object);
  const schema = served.schema();
  const rules = schema !== undefined && traitsOf(schema).validations;
  return [{ served, object, size: encodeJson(object).length, rules }];
}

/** Reports the medians for objects of about a kilobyte. */
function report(samples: readonly Sample[], rules: boolean): void {
  const times = samples
    .filter(({ size }) => size >= 900 && size <= 1150)
    .slice(0, 150)
    .map(({ served, object }) => micros(() => served.strategy.validate?.(object), 300))
    .sort((a, b) => a - b);
  const median = times[times.length >> 1] ?? Number.NaN;
  const what = rules ? 'with rules' : 'without rules';
  console.log(
    `validating 1 KB ${what}: median ${median.toFixed(1)} µs${rules ? '' : ' (bar 30)'}, ${times.length} objects`,
  );
}

/** Processor time in microseconds for one call, after a warm-up with as many calls. */
function micros(work: () => void, times: number): number {
  for (let i = 0; i < times - 1; i++) work();
  const started = process.cpuUsage();
  for (let i = 0; i < times; i++) work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / times;
}
