import type { RE2JS } from 're2js';
import { compileRegexp, outlasts } from '#lib/machinery/regexp.ts';
import { declare, type FunctionDeclaration, global, member } from '../functions/function.ts';
import { boolType, stringType } from '../types/type.ts';
import { CelError, type Result } from '../values/value.ts';

const two = [stringType, stringType];
const cacheSize = 256;
const compiled = new Map<string, RE2JS | CelError>();

/**
 * Returns a compiled pattern, or the error of an invalid pattern. Matching takes time linear in the text. Caches the most recent patterns.
 */
export function compileRegex(pattern: string): RE2JS | CelError {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = newRegex(pattern);
  if (compiled.size >= cacheSize) compiled.delete(compiled.keys().next().value ?? '');
  compiled.set(pattern, made);
  return made;
}

function newRegex(pattern: string): RE2JS | CelError {
  try {
    return compileRegexp(pattern);
  } catch (fault) {
    return new CelError(fault instanceof Error ? fault.message : 'error parsing regexp');
  }
}

/** `text.matches(pattern)`: whether RE2 finds the pattern in the text. */
export function matches(text: string, pattern: string): Result {
  const regex = compileRegex(pattern);
  if (regex instanceof CelError) return regex;
  return outlasts(regex, text) ? new CelError('text too long for the pattern') : regex.test(text);
}

/** The functions of strings. */
export const strings: readonly FunctionDeclaration[] = [
  declare(
    'contains',
    member('contains_string', two, boolType, (text: string, part: string) => text.includes(part)),
  ),
  declare(
    'endsWith',
    member('ends_with_string', two, boolType, (text: string, end: string) => text.endsWith(end)),
  ),
  declare(
    'startsWith',
    member('starts_with_string', two, boolType, (text: string, start: string) => text.startsWith(start)),
  ),
  declare('matches', global('matches', two, boolType, matches), member('matches_string', two, boolType, matches)),
];
