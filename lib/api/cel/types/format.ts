import type { Type } from './type.ts';

const shown: ReadonlyMap<Type['kind'], string> = new Map([
  ['any', 'any'],
  ['duration', 'duration'],
  ['error', '!error!'],
  ['null', 'null'],
  ['timestamp', 'timestamp'],
]);

/** The maximum depth of a type's text. Types can share parts, so their full text could be exponential. */
const maxDepth = 12;

/** Formats a type like cel-go's messages. */
export function formatType(type: Type, depth = 0): string {
  const name = shown.get(type.kind) ?? type.name;
  if (type.nullable) return `wrapper(${name})`;
  if (type.params.length === 0) return name;
  if (depth === maxDepth) return `${name}(...)`;
  return `${name}(${type.params.map((param) => formatType(param, depth + 1)).join(', ')})`;
}

/** Formats the arguments of a call like cel-go's messages: `(int, string)`, `string.(int)`. */
export function formatArguments(types: readonly Type[], member: boolean): string {
  const [target, ...rest] = types;
  const list = (args: readonly Type[]) => `(${args.map((arg) => formatType(arg)).join(', ')})`;
  return member && target ? `${formatType(target)}.${list(rest)}` : list(types);
}

/** Formats a type with its run-time names, as cel-go prints it outside the checker's messages. */
export const typeText = ({ name, params }: Type): string =>
  params.length === 0 ? name : `${name}(${params.map(typeText).join(', ')})`;
