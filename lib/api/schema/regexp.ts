import { messageOfError } from '#lib/machinery/error-message.ts';
import { compileRegexp, outlasts } from '#lib/machinery/regexp.ts';

/** A pattern from an untrusted schema, which matches in bounded time. A text that is too long for a large pattern does not match. */
export interface Pattern {
  test(text: string): boolean;
  /** Returns the maximum number of steps. Each step takes some nanoseconds. */
  steps(text: string): number;
}

/**
 * The maximum number of cached patterns. Definitions repeat patterns (those of quantities by the hundred). The oldest pattern is evicted.
 */
const MAX_CACHED = 512;
const cache = new Map<string, Pattern | string>();

/** Compiles Go's regular expression syntax. Returns Go's error text if the pattern is invalid. */
export function compilePattern(pattern: string): Pattern | string {
  const cached = cache.get(pattern);
  if (cached !== undefined) return cached;
  const compiled = compile(pattern);
  const [oldest] = cache.keys();
  if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): Pattern | string {
  try {
    const compiled = compileRegexp(pattern);
    const size = compiled.programSize();
    return {
      test: (text) => !outlasts(compiled, text) && compiled.test(text),
      steps: (text) => (outlasts(compiled, text) ? 0 : size * text.length),
    };
  } catch (error) {
    return messageOfError(error);
  }
}
