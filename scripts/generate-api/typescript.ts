import { zeroScalar } from '#lib/api/codec/zero.ts';
import { textsOf } from '#lib/api/descriptions/texts.ts';
import { type FieldFacts, SERVED_TYPE_NAMES, type TypeFacts, typeFacts } from '#lib/api/types.ts';
import type { ScalarForm, ValueFacts } from '#lib/api/values.ts';
import { importText, WIDTH } from './imports.ts';
import { resourceConstants } from './resource-constants.ts';

/** The TypeScript type of a value that is neither struct, list nor map: an alias in `scalars.ts`, or a built-in type. */
const SCALARS: Readonly<Record<ScalarForm, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'Int64',
  double: 'number',
  bytes: 'Base64',
  quantity: 'Quantity',
  time: 'Time',
  microtime: 'MicroTime',
  duration: 'Duration',
  intstr: 'IntOrString',
  raw: 'Json',
  fieldsv1: 'Json',
  json: 'Json',
  schemaorarray: 'JSONSchemaProps | JSONSchemaProps[] | null',
  schemaorbool: 'JSONSchemaProps | boolean',
  schemaorstrings: 'JSONSchemaProps | string[] | null',
};
const ALIASES: ReadonlySet<string> = new Set(
  Object.values(SCALARS).filter((name) => /^[A-Z]\w+$/.test(name) && name !== 'Json'),
);
const SCHEMA = 'apiextensions.v1.JSONSchemaProps';

/**
 * The TypeScript types of all built-in types, by file name: one file per group and version, and one for the resources. Optional fields
 * follow `lib/api/codec/write.ts`, which matches the decoder's output.
 */
export function typeScriptFiles(): Record<string, string> {
  const files = Map.groupBy(SERVED_TYPE_NAMES, groupVersionOf);
  const types = [...files].map(([file, names]) => [`${file}.ts`, fileText(names.map(typeFacts))] as const);
  return { ...Object.fromEntries(types), 'resources.ts': resourceConstants() };
}

/** Extracts `core.v1` from `core.v1.PodSpec`. */
const groupVersionOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));

function fileText(types: readonly TypeFacts[]): string {
  return `${imports(types)}\n${types.map(typeText).join('\n')}`;
}

function imports(types: readonly TypeFacts[]): string {
  const values = types.flatMap(({ fields }) => fields.flatMap(({ value }) => partsOf(value)));
  const structs = new Set(values.flatMap(structName)).difference(new Set(types.map(({ name }) => name)));
  const scalars = new Set(values.flatMap(({ form }) => (form in SCALARS ? [SCALARS[form as ScalarForm]] : [])));
  const aliases = [...scalars].filter((name) => ALIASES.has(name)).sort();
  const names = Map.groupBy([...structs], groupVersionOf);
  const json = scalars.has('Json') ? 'Json, typed' : 'typed';
  return [
    '// Written by `npm run generate`.',
    `import type { ${json} } from '#lib/machinery/json-value.ts';`,
    ...[...names].sort().map(([from, all]) => importText(all.map(goName), `./${from}.ts`)),
    ...(aliases.length === 0 ? [] : [importText(aliases, './scalars.ts')]),
    '',
  ].join('\n');
}

/** The value, and recursively the elements of a list or map. */
function partsOf(value: ValueFacts): ValueFacts[] {
  return value.form === 'list' || value.form === 'map' ? [value, ...partsOf(value.of)] : [value];
}

function structName(value: ValueFacts): string[] {
  if (value.form === 'struct') return [value.type];
  return value.form.startsWith('schemaor') ? [SCHEMA] : [];
}

const goName = (type: string): string => type.slice(type.lastIndexOf('.') + 1);

function typeText({ name, go, fields }: TypeFacts): string {
  const text = textsOf(name)[''] ?? '';
  return [
    `/** ${text} */`,
    `export type ${go} = {`,
    `  [typed]?: '${name}';`,
    ...fields.map((field) => fieldText(field)),
    '};',
    '',
  ].join('\n');
}

function fieldText({ name, value, ...field }: FieldFacts): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
  const { isOptional, isNullable } = presence({ ...field, name, value });
  const type = isNullable ? orNull(typeOf(value)) : typeOf(value);
  const line = `  ${key}${isOptional ? '?' : ''}: ${type};`;
  if (line.length > WIDTH) throw new Error(`${name} takes more than a line`);
  return line;
}

/** Whether the encoder may omit the field, and whether it may write null. */
export function presence({ value, pointer, always, omitZero }: FieldFacts): {
  isOptional: boolean;
  isNullable: boolean;
} {
  if (pointer) return { isOptional: !always, isNullable: always };
  const isWritten = (always || value.form === 'struct') && !omitZero;
  return { isOptional: !isWritten, isNullable: isWritten && isNullZero(value) };
}

const isNullZero = (value: ValueFacts): boolean => value.form !== 'struct' && zeroScalar(value) === null;

const orNull = (type: string): string => (/(?:^| )(?:null|Json)$/.test(type) ? type : `${type} | null`);

function typeOf(value: ValueFacts): string {
  switch (value.form) {
    case 'struct':
      return goName(value.type);
    case 'list':
      return `${grouped(elementOf(value.of))}[]`;
    case 'map':
      return `Record<string, ${elementOf(value.of)}>`;
    default:
      return SCALARS[value.form];
  }
}

/** The type of an element, which may be null if null stands for its zero value. */
const elementOf = (value: ValueFacts): string => (isNullZero(value) ? orNull(typeOf(value)) : typeOf(value));

const grouped = (type: string): string => (type.includes(' ') && !/^Record<.*>$/.test(type) ? `(${type})` : type);
