import * as z from 'zod';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { decodeYaml, encodeYaml, YamlError } from '#lib/machinery/yaml.ts';
import { likely } from './nearest.ts';

/** An option of the configuration. Its key is its flag in camel case: `--data-dir` is `dataDir`. */
export interface ConfigOption {
  readonly key: string;
  readonly type: keyof typeof TYPES;
  readonly choices?: readonly string[];
}

/** The value of an option, from a flag, a file or the environment. */
export type ConfigValue = string | number | boolean | readonly string[];

const HEADER = { apiVersion: 'davit.dev/v1', kind: 'Config' };

const TYPES = {
  boolean: { schema: z.boolean(), text: 'true or false' },
  integer: { schema: z.int(), text: 'a whole number' },
  string: { schema: z.string(), text: 'a text' },
  path: { schema: z.string().min(1), text: 'a path' },
  list: { schema: z.array(z.string()), text: 'a list of texts' },
};

/** Parses a file of kind Config, YAML or JSON. Throws TypeError with all errors in one line. */
export function parseConfig(text: string, options: readonly ConfigOption[]): Map<string, ConfigValue> {
  const document = decoded(text);
  const shape = Object.fromEntries(options.map(({ key, type, choices }) => [key, schemaOf(type, choices).optional()]));
  const schema = z.strictObject({
    ...shape,
    apiVersion: z.literal(HEADER.apiVersion),
    kind: z.literal(HEADER.kind),
  });
  const read = schema.safeParse(document);
  if (!read.success) throw new TypeError(read.error.issues.flatMap((one) => faults(one, document, options)).join('; '));
  const { apiVersion: _, kind: __, ...values } = read.data;
  return new Map(Object.entries(values));
}

/** Formats values as a file that `parseConfig` accepts. */
export function formatConfig(values: ReadonlyMap<string, ConfigValue>): string {
  const document: JsonObject = { ...HEADER };
  for (const [key, value] of values) setField(document, key, typeof value === 'object' ? [...value] : value);
  return encodeYaml(document);
}

const schemaOf = (type: ConfigOption['type'], choices: readonly string[] | undefined): z.ZodType =>
  choices === undefined ? TYPES[type].schema : z.enum([...choices]);

function decoded(text: string): JsonObject {
  try {
    const { value, duplicates } = decodeYaml(Buffer.from(text));
    if (duplicates[0] !== undefined) throw new TypeError(duplicates[0].replaceAll(/\s+/g, ' '));
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof YamlError || error instanceof JsonSyntaxError)) throw error;
    throw new TypeError(error.message, { cause: error });
  }
  throw new TypeError(`a ${HEADER.kind} of ${HEADER.apiVersion} belongs there`);
}

function faults(issue: z.core.$ZodIssue, document: JsonObject, options: readonly ConfigOption[]): string[] {
  const keys = [...Object.keys(HEADER), ...options.map(({ key }) => key)];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const meant = likely(key, keys);
      return `unknown key ${JSON.stringify(key)}${meant === undefined ? '' : `; the nearest is ${JSON.stringify(meant)}`}`;
    });
  const [key = '', ...rest] = issue.path.map(String);
  const path = rest.reduce((at, part) => `${at}[${part}]`, key);
  return [
    `${path}: ${expected(key, rest.length > 0, options)} belongs there, not ${shown(valueAt(document, key, rest))}`,
  ];
}

function expected(key: string, isItem: boolean, options: readonly ConfigOption[]): string {
  if (key === 'apiVersion' || key === 'kind') return JSON.stringify(HEADER[key]);
  const option = options.find((one) => one.key === key);
  if (option?.choices !== undefined) return option.choices.map((one) => JSON.stringify(one)).join(' or ');
  return TYPES[isItem ? 'string' : (option?.type ?? 'string')].text;
}

function valueAt(document: JsonObject, key: string, [index]: readonly string[]): Json | undefined {
  const value = document[key];
  return index !== undefined && Array.isArray(value) ? value[Number(index)] : value;
}

function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
