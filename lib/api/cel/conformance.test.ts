import { tests as suite } from '@bufbuild/cel-spec/testdata/conformance.js';
import { expect, test } from 'vitest';
import { resolveNames } from './checker/unchecked.ts';
import { CompileError, compile } from './compile.ts';
import { environment } from './environment.ts';
import { strings as extStrings } from './library/strings.ts';
import { parse } from './parser/parser.ts';
import { activationOf, program } from './program.ts';
import { bindings } from './stdlib/bindings.ts';
import { optional } from './stdlib/optional.ts';
import { standard } from './stdlib/standard.ts';
import { twoVariables } from './stdlib/two-variables.ts';
import { functionFrom, isSame, typeFrom, valueFrom, type Wire, wire } from './testing/conformance-values.ts';
import { formatType } from './types/format.ts';
import type { Type } from './types/type.ts';
import { CelError, type Result, type Value } from './values/value.ts';

interface Case {
  readonly path: string;
  readonly original: Wire;
}

/** Files that do not apply to Kubernetes' environment. */
const excludedFiles: Readonly<Record<string, string>> = {
  block_ext: 'cel.block is an optimizer’s output, no part of Kubernetes',
  encoders_ext: 'Kubernetes does not enable the encoders library',
  math_ext: 'Kubernetes does not enable the math library',
  enums: 'Kubernetes has no protobuf enums',
  proto2: 'Kubernetes’ objects are no protobuf messages',
  proto2_ext: 'Kubernetes’ objects are no protobuf messages',
  proto3: 'Kubernetes’ objects are no protobuf messages',
  wrappers: 'protobuf wrapper messages',
};

const message =
  /TestAllTypes|NestedTestAllTypes|GlobalEnum|google\.protobuf\.(?!Timestamp|Duration|NullValue)|proto[23]|Value\{null_value/;

/** Cases in other files that cannot be tested here, by rule. */
const excludedCases: readonly (readonly [string, (test: Case) => boolean])[] = [
  ['needs a protobuf message', ({ original }) => message.test(JSON.stringify({ ...original, container: undefined }))],
  ['cel-go lets the last of equal keys win', ({ path }) => path.includes('/map_value_repeat_key')],
  ['Kubernetes leaves errors on presence tests of scalars off', ({ path }) => presenceOfScalars.test(path)],
  [
    'Kubernetes enables version 2 of the strings library, whose format is an older one',
    ({ path }) => isNewFormat(path),
  ],
  ['cel-go finds nothing beyond the end', ({ path }) => path.includes('indexof_out_of_range')],
  [
    'cel-go counts all of a duration in milliseconds',
    ({ path }) => path.endsWith('duration_converters/get_milliseconds'),
  ],
  [
    'cel-go joins an optional and null to null',
    ({ path }) => path.endsWith('null_assignable_to_abstract_parameter_candidate'),
  ],
];

const presenceOfScalars = /optionals\/(map_null_entry_no_such_key|map_present_key_invalid_field)$/;
const newFormats =
  /scientific notation|for (decimal|fixed-point|scientific notation)|(list|map) support for string|map support \(all|dyntype (NaN|support for (lists|maps))/;

function isNewFormat(path: string): boolean {
  return path.startsWith('string_ext/format/') && newFormats.test(path);
}

function casesOf(): Case[] {
  return (suite.suites ?? []).flatMap((file) =>
    (file.suites ?? []).flatMap((section) =>
      (section.tests ?? []).map(({ original }) => ({
        path: `${file.name}/${section.name}/${original.name}`,
        original,
      })),
    ),
  );
}

const base = environment({
  libraries: [standard, optional, twoVariables, bindings, extStrings],
  homogeneousLiterals: false,
  identEscapes: true,
});

function environmentOf(original: Wire) {
  const declarations = Array.isArray(original['typeEnv']) ? original['typeEnv'].map(wire) : [];
  const functions = declarations.filter((declaration) => declaration['function']).map(functionFrom);
  const variables = declarations
    .filter((declaration) => declaration['ident'])
    .map(({ name, ident }) => [String(name), typeFrom(wire(wire(ident)['type']))] as const);
  const container = String(original['container'] ?? '');
  const libraries = [{ name: 'declared', functions }];
  return environment({ libraries, variables: Object.fromEntries(variables), container }, base);
}

function run(original: Wire): { result: Result; type: Type | undefined } {
  const env = environmentOf(original);
  const text = String(original['expr']);
  const compiled = original['disableCheck'] === true ? undefined : compile(text, env);
  if (compiled instanceof CompileError) return { result: new CelError(compiled.message), type: undefined };
  const checked = compiled?.checked ?? resolveNames(parse(text, env).expr, env);
  const prepared = program(checked, env);
  if (prepared instanceof CelError) return { result: prepared, type: compiled?.type };
  const variables: Record<string, Value> = {};
  for (const [name, bound] of Object.entries(wire(original['bindings']))) {
    variables[name] = valueFrom(wire(wire(bound)['value'])) ?? null;
  }
  return { result: prepared.evaluate(activationOf(variables)).value, type: compiled?.type };
}

function verdict(original: Wire): string {
  const { result, type } = run(original);
  const typed = wire(original['typedResult']);
  const deduced = typed['deducedType'];
  if (deduced !== undefined && (!type || formatType(type) !== formatType(typeFrom(wire(deduced))))) {
    return `type ${type ? formatType(type) : 'unknown'}, wanted ${formatType(typeFrom(wire(deduced)))}: ${show(result)}`;
  }
  if (original['checkOnly'] === true) return 'ok';
  if (original['evalError']) return result instanceof CelError ? 'ok' : `no error but ${show(result)}`;
  const wanted = valueFrom(wire(typed['result'] ?? original['value'] ?? { boolValue: true }));
  if (wanted === undefined) return 'wanted value is no value here';
  return !(result instanceof CelError) && isSame(result, wanted) ? 'ok' : `got ${show(result)}, wanted ${show(wanted)}`;
}

function show(result: Result): string {
  return result instanceof CelError
    ? `error: ${result.message}`
    : JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

const cases = casesOf();
const left = new Map<string, number>();

function isAsked(one: Case): boolean {
  const file = one.path.split('/')[0] ?? '';
  const reason = excludedFiles[file] ?? excludedCases.find(([, applies]) => applies(one))?.[0];
  if (reason === undefined) return true;
  const label = `${file}: ${reason}`;
  left.set(label, (left.get(label) ?? 0) + 1);
  return false;
}

test('passes every case of cel-spec that applies to Kubernetes’ environment', () => {
  const asked = cases.filter(isAsked);
  const failures = asked.flatMap((one) => {
    const found = verdict(one.original);
    return found === 'ok' ? [] : [`${one.path}: ${String(one.original['expr'])}: ${found}`];
  });
  const reasons = [...left].map(([reason, count]) => `  ${count} ${reason}`).join('\n');
  console.info(`cel-spec: ${asked.length - failures.length} of ${asked.length} cases; left out:\n${reasons}`);
  expect(failures).toEqual([]);
});
