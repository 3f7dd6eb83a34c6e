import { additionalSchema } from './json-schema-props.ts';
import type { Structural } from './structural.ts';

/** A path into a schema that `x-kubernetes-validations` or selectable fields name. */
export interface SchemaPath {
  /** The names along the path. */
  readonly names: readonly string[];
  readonly schema: Structural;
}

/**
 * Upstream's `ValidFieldPath`: resolves `.spec.a` or `.spec['a']` against a schema. The notation has no array indices. Returns a string if
 * the path is invalid, with the reason.
 */
export function validFieldPath(path: string, schema: Structural, allowBrackets = true): SchemaPath | string {
  const names: string[] = [];
  const tokens = tokenize(path);
  let current = schema;
  for (let i = 0; i < tokens.length; ) {
    const step = nextName(tokens, i, allowBrackets);
    if (typeof step === 'string') return step;
    const next = descend(current, step.name);
    if (next === undefined) return 'does not refer to a valid field';
    names.push(step.name);
    current = next;
    if (step.bracket && tokens[i + 2] === undefined) return 'unexpected end of JSON path';
    if (step.bracket && tokens[i + 2] !== ']') return `expected ] but got ${tokens[i + 2]}`;
    i += step.bracket ? 3 : 2;
  }
  return { names, schema: current };
}

function nextName(
  tokens: readonly string[],
  i: number,
  allowBrackets: boolean,
): { readonly name: string; readonly bracket: boolean } | string {
  const [token = '', following] = [tokens[i], tokens[i + 1]];
  if (token !== '.' && token !== '[') return `expected [ or . but got: ${token}`;
  if (token === '[' && !allowBrackets) return 'array notation is not allowed';
  if (following === undefined) return 'unexpected end of JSON path';
  if (token === '.') return { name: following, bracket: false };
  if (!/^'.*'$/s.test(following) || following.length < 2) return `expected single quoted string but got ${following}`;
  const name = unescape(following.slice(1, -1));
  return name === undefined ? 'invalid string literal: invalid syntax' : { name, bracket: true };
}

function descend(schema: Structural, name: string): Structural | undefined {
  if (schema.properties !== undefined) return schema.properties.get(name);
  return schema.additionalProperties === undefined ? undefined : additionalSchema(schema);
}

/** Splits a path into delimiters, quoted names and the text between them. */
function tokenize(path: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < path.length; ) {
    const end = path[at] === "'" ? quotedEnd(path, at) : plainEnd(path, at);
    tokens.push(path.slice(at, end));
    at = end;
  }
  return tokens;
}

function plainEnd(path: string, at: number): number {
  if ('.[]'.includes(path[at] as string)) return at + 1;
  let end = at;
  while (end < path.length && !'.[]'.includes(path[end] as string)) end++;
  return end;
}

function quotedEnd(path: string, at: number): number {
  for (let end = at + 1; end < path.length; end++) if (path[end] === "'" && path[end - 1] !== '\\') return end + 1;
  return path.length;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function unescape(text: string): string | undefined {
  let valid = true;
  const plain = text.replace(/\\(.?)/gs, (_, escaped: string) => {
    const value = ESCAPES[escaped];
    valid &&= value !== undefined;
    return value ?? '';
  });
  return valid ? plain : undefined;
}
