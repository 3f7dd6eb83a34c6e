import { RE2JS } from 're2js';
import { compileRegexp, outlasts } from '#lib/machinery/regexp.ts';
import { declare, member } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { intType, listType, stringType } from '../types/type.ts';
import { listOf } from '../values/list.ts';
import { type CelError, error, type Result } from '../values/value.ts';

const MAX_CACHED = 256;
const cache = new Map<string, RE2JS | CelError>();

/** Returns a cached compiled pattern. Rules are few and run often. */
function compiled(pattern: string): RE2JS | CelError {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const made = compile(pattern);
  const [oldest] = cache.keys();
  if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  cache.set(pattern, made);
  return made;
}

function compile(pattern: string): RE2JS | CelError {
  try {
    return compileRegexp(pattern);
  } catch (thrown) {
    return error(`Illegal regex: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

function findAll(text: string, pattern: string, limit: number): string[] | CelError {
  const expression = compiled(pattern);
  if (!(expression instanceof RE2JS)) return expression;
  if (outlasts(expression, text)) return error('text too long for the pattern');
  const found: string[] = [];
  const matcher = expression.matcher(text);
  let end = -1;
  while (found.length < limit && matcher.find()) {
    // Go ignores an empty match directly after another match.
    if (matcher.start() === matcher.end() && matcher.start() === end) continue;
    end = matcher.end();
    found.push(matcher.group() ?? '');
  }
  return found;
}

function find(text: string, pattern: string): Result {
  const found = findAll(text, pattern, 1);
  return Array.isArray(found) ? (found[0] ?? '') : found;
}

function findList(text: string, pattern: string, count: bigint): Result {
  const found = findAll(text, pattern, count < 0n ? Number.POSITIVE_INFINITY : Number(count));
  return Array.isArray(found) ? listOf(found) : found;
}

const texts = listType(stringType);

/** Kubernetes' regular expression library. It uses Go's syntax and runs in linear time. */
export const regex: Library = {
  name: 'kubernetes.regex',
  functions: [
    declare('find', member('string_find_string', [stringType, stringType], stringType, find)),
    declare(
      'findAll',
      member('string_find_all_string', [stringType, stringType], texts, (text: string, pattern: string) =>
        findList(text, pattern, -1n),
      ),
      member('string_find_all_string_int', [stringType, stringType, intType], texts, findList),
    ),
  ],
};
