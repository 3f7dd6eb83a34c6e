/** A block comment, consecutive line comments, or a line comment after code. */
const COMMENT = /\/\*[^]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|(?<=[;,{})\]])[ \t]+\/\/[ \t].*/gm;
/** The first argument of a call that declares a test or a group of tests, also after the table of `test.each`. */
const TITLE =
  /\b(?:test|it|describe)(?:\.\w+(?:<[^(]*>)?(?:\([^`]*?\))?)*\(\s*(['"`])((?:\\.|(?!\1).)*)\1|^\s*\]\)\(\s*(['"`])((?:\\.|(?!\3).)*)\3/gm;
const MARKS = /^\/\*\*?\s*(?:\*\s)?|\s*\*\/$|^\s*\/\/ ?/g;
const BREAK = /\s*\n\s*(?:\*|\/\/)? ?/g;

/** The comments of a TypeScript file, each on one line without its delimiters. */
export const commentTexts = (source: string): string[] =>
  [...source.matchAll(COMMENT)].map(([text]) => text.trim().replace(MARKS, '').replace(BREAK, ' ').trim());

/** The titles of the tests of a TypeScript file. */
export const testTitles = (source: string): string[] =>
  [...source.matchAll(TITLE)].map((match) => match[2] ?? match[4] ?? '');

/** The word "where" before the subject of a condition. */
const WHERE =
  /\bwhere\s+(?:it|there|that|the|a|an|no|none|they|he|nobody|one|this|its|some|any|all|nothing|each|two|those|neither|both|only|several|these|his)\b/gi;
const TOLD = /\b(?:is|are|was|were|be|been|being) told\b/gi;
const WHO = /\b(?:who|whoever|whom)\b/gi;
const NOBODY = /\b(?:nobody|nothing)\s+(?:is|was|has|can|may|else|more|in|that|\w+s)\b/gi;
const OF_AS = /^(?:Of|As)\b/;
const UNIT = /^(?:In )?(?:milliseconds?|microseconds?|nanoseconds?|seconds?|bytes?|characters?)\b[.,:;]?/i;
const PREPOSITION =
  /^(?:in|on|at|by|with|without|for|from|of|to|as|after|before|behind|between|under|over|through|against|beside|within|during|until|where|whose)\b/i;

const found = (texts: readonly string[], pattern: RegExp): number =>
  texts.reduce((count, text) => count + (text.match(pattern)?.length ?? 0), 0);
const matching = (texts: readonly string[], pattern: RegExp): number =>
  texts.filter((text) => pattern.test(text)).length;

/**
 * Counts unnatural English in comments and test titles that regular expressions can find. A count is a guide for rewriting and proves
 * nothing: "where" has correct uses, and a comment can read badly without any of these words.
 */
export function englishFacts(sources: readonly string[]): Readonly<Record<string, number>> {
  const comments = sources.flatMap(commentTexts);
  const titles = sources.flatMap(testTitles);
  const both = [...comments, ...titles];
  return {
    'English: "where" for "if"': found(both, WHERE),
    'English: "is told"': found(both, TOLD),
    'English: who, whoever, whom': found(both, WHO),
    'English: nobody or nothing as a subject': found(both, NOBODY),
    'English: comments that open with Of or As': matching(comments, OF_AS),
    'English: comments that open with a unit': matching(comments, UNIT),
    'English: test titles that open with a preposition': matching(titles, PREPOSITION),
    'English: test titles of one or two words': titles.filter((title) => title.trim().split(/\s+/).length < 3).length,
  };
}
