/** An exported declaration at the start of a line. Re-exports (`export {`, `export *`) declare nothing. */
const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (?![{*])/;

/** The number of symbols that a TypeScript file exports, and the number of those with a comment directly above. */
export function documentedExports(text: string): { exports: number; documented: number } {
  const lines = text.split('\n');
  const exported = lines.flatMap((line, index) => (EXPORT.test(line) && !isOverload(lines, index) ? [index] : []));
  const documented = exported.filter((index) => /(?:\*\/\s*$|^\s*\/\/)/.test(lines[index - 1] ?? ''));
  return { exports: exported.length, documented: documented.length };
}

/** Whether the line exports the same name as the previous line. */
function isOverload(lines: readonly string[], index: number): boolean {
  const name = (line: string | undefined): string | undefined => /^export function (\w+)/.exec(line ?? '')?.[1];
  const own = name(lines[index]);
  return own !== undefined && name(lines[index - 1]) === own;
}

/** The functions that read or write one field of an object by name. */
const ACCESSORS =
  'objectAt|objectsAt|arrayAt|stringAt|stringsAt|textAt|numberAt|integerAt|timeAt|' +
  'ownField|setField|text|texts|integer|count|flag|has|items|entries|ensure|at';
const CALL = new RegExp(`(?<![.\\w])(?:${ACCESSORS})\\([^,;']+,\\s*'[^']+'`, 'g');

/** The number of times that a TypeScript file accesses a field by a string. */
export const accessorCalls = (text: string): number => text.match(CALL)?.length ?? 0;

/** An exported arrow function with statements. A constant with a type annotation does not match, because its type is the contract. */
const ARROW = /^export const \w+ = (?:async )?(?:<[^;]*?>)?\((?:(?!=>|\) =)[^;])*\)(?:: (?:(?! =>)[^;\n])+)? => \{$/gm;

/** The number of exported functions that a TypeScript file should declare as `export function`. */
export const looseArrows = (text: string): number => text.match(ARROW)?.length ?? 0;

/** The median, or the lower of the two middle numbers; 0 for an empty list. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
