import { RE2JS } from 're2js';

/** A pattern of an untrusted schema, matched in linear time. */
export interface Pattern {
  test(text: string): boolean;
}

/** Compiles Go's regular expression syntax; a string is Go's error text. */
export function compilePattern(pattern: string): Pattern | string {
  try {
    const compiled = RE2JS.compile(pattern);
    return { test: (text) => compiled.test(text) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
