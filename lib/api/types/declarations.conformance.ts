import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, ownField } from '#lib/machinery/json-value.ts';

/** A type expression in a generated file. A `name` is a struct (`core.v1.PodSpec`), an alias in `scalars.ts`, or a TypeScript type. */
type Expression =
  | { readonly form: 'name'; readonly name: string }
  | { readonly form: 'list' | 'map'; readonly of: Expression }
  | { readonly form: 'union'; readonly of: readonly Expression[] };

interface DeclaredField {
  readonly isOptional: boolean;
  /** The type's text, such as `core.v1.Volume[] | null`. */
  readonly type: string;
  readonly expression: Expression;
}

/** The fields of a declared type, by name. */
export type Declared = ReadonlyMap<string, DeclaredField>;

/** Reads the type declarations in the files of this folder, by the names in their marks (`core.v1.Pod`). */
export function readDeclarations(): ReadonlyMap<string, Declared> {
  const files = readdirSync(import.meta.dirname).filter((name) => /^\w+\.v\d\w*\.ts$|^version\.ts$/.test(name));
  return new Map(files.flatMap((file) => declarationsOf(readFileSync(join(import.meta.dirname, file), 'utf8'))));
}

const TYPE = /^export type (\w+) = \{\n {2}\[typed\]\?: '([^']+)';\n((?: {2}.*;\n)*)\};$/gm;
const FIELD = /^ {2}'?([^':?]+)'?(\??): (.*);$/;
const IMPORT = /^import type \{([^}]+)\} from '\.\/([^']+)\.ts';$/gm;

function declarationsOf(text: string): (readonly [string, Declared])[] {
  const types = [...text.matchAll(TYPE)];
  if (types.length !== text.split('export type ').length - 1) throw new Error('a declaration has another form');
  const own = types.map(([, name = '', mark = '']) => [name, mark] as const);
  const imported = [...text.matchAll(IMPORT)].flatMap(([, names = '', from = '']) =>
    from === 'scalars' ? [] : names.split(',').map((name) => [name.trim(), `${from}.${name.trim()}`] as const),
  );
  const full = new Map([...own, ...imported]);
  return types.map(([, , mark = '', fields = '']) => [
    mark,
    new Map(fields.split('\n').flatMap((line) => fieldOf(line, full))),
  ]);
}

function fieldOf(line: string, full: ReadonlyMap<string, string>): (readonly [string, DeclaredField])[] {
  const [, name, optional, text = ''] = FIELD.exec(line) ?? [];
  if (name === undefined) return [];
  const type = text.replaceAll(/\b[A-Z]\w*/g, (word) => full.get(word) ?? word);
  return [[name, { isOptional: optional === '?', type, expression: parse(type) }]];
}

/** Parses a type: unions, lists, maps, names, parentheses. */
function parse(text: string): Expression {
  const parts = splitUnion(text);
  if (parts.length > 1) return { form: 'union', of: parts.map(parse) };
  const list = /^(.*)\[\]$/.exec(text)?.[1];
  if (list !== undefined) return { form: 'list', of: parse(list.replace(/^\((.*)\)$/, '$1')) };
  const map = /^Record<string, (.*)>$/.exec(text)?.[1];
  return map === undefined ? { form: 'name', name: text } : { form: 'map', of: parse(map) };
}

/** Splits a union into its members. Does not split unions within lists and maps. */
function splitUnion(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const word of text.split(' ')) {
    if (word === '|' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''} ${word}`.trim());
    depth += word.split(/[(<]/).length - word.split(/[)>]/).length;
  }
  return parts;
}

const SCALARS: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  Base64: (value) => typeof value === 'string',
  Quantity: (value) => typeof value === 'string',
  Time: (value) => typeof value === 'string',
  MicroTime: (value) => typeof value === 'string',
  Duration: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  Int64: (value) => typeof value === 'number' || typeof value === 'bigint',
  IntOrString: (value) => typeof value === 'number' || typeof value === 'string',
  null: (value) => value === null,
  Json: () => true,
};

/** Checks whether an object matches its declared type: no field is absent, unknown or of another type. */
export class Fit {
  readonly #types: ReadonlyMap<string, Declared>;

  constructor(types: ReadonlyMap<string, Declared>) {
    this.#types = types;
  }

  /** Returns the paths of differences with their reasons. Empty if the value matches the type. */
  faults(type: string, value: Json): string[] {
    return this.#faults({ form: 'name', name: type }, value, '');
  }

  #faults(type: Expression, value: Json, path: string): string[] {
    switch (type.form) {
      case 'union': {
        const each = type.of.map((one) => this.#faults(one, value, path));
        return each.some((faults) => faults.length === 0) ? [] : (each[0] ?? []);
      }
      case 'list':
        if (!Array.isArray(value)) return [`${path}: no list`];
        return value.flatMap((item, i) => this.#faults(type.of, item, `${path}[${i}]`));
      case 'map':
        if (!isObject(value)) return [`${path}: no map`];
        return Object.entries(value).flatMap(([key, item]) => this.#faults(type.of, item, `${path}[${key}]`));
      case 'name':
        return this.#named(type.name, value, path);
    }
  }

  #named(name: string, value: Json, path: string): string[] {
    const scalar = SCALARS[name];
    if (scalar !== undefined) return scalar(value) ? [] : [`${path}: no ${name}`];
    const fields = this.#types.get(name);
    if (fields === undefined) throw new Error(`no type ${name}`);
    if (!isObject(value)) return [`${path}: no ${name}`];
    const unknown = Object.keys(value).filter((key) => !fields.has(key));
    const known = [...fields].flatMap(([key, { isOptional, expression }]) => {
      const held = ownField(value, key);
      if (held === undefined) return isOptional ? [] : [`${path}.${key}: absent`];
      return this.#faults(expression, held, `${path}.${key}`);
    });
    return [...unknown.map((key) => `${path}.${key}: unknown`), ...known];
  }
}
