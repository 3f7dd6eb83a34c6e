import { RE2JS } from 're2js';

/** The maximum program size. A larger program takes longer to compile and run than a request may take. */
const MAX_PROGRAM = 20_000;
/** The maximum number of steps when a program runs on a text. Without shortcuts, a step takes about ten nanoseconds. */
const MAX_STEPS = 50_000_000;

/**
 * Compiles a user's Go regular expression. It runs in time linear in the length of the text. Throws an Error with Go's text if the pattern
 * is invalid or too large. The size limit is lower than Go's.
 */
export function compileRegexp(pattern: string): RE2JS {
  if (programSize(pattern) > MAX_PROGRAM) throw new Error('error parsing regexp: expression too large');
  return RE2JS.compile(pattern);
}

/** Whether a text is too long to run a large pattern on it. */
export function outlasts(regexp: RE2JS, text: string): boolean {
  const size = regexp.programSize();
  return size > 1000 && size * text.length > MAX_STEPS;
}

/** Unicode classes and case-insensitive letters, the only constructs that compile to hundreds of ranges. */
const WIDE = /\\[pP]|\(\?[a-z]*i/g;

/** Estimates the compile time of a pattern in microseconds. The estimate is an upper bound within a factor of three. */
export function compileMicros(pattern: string): number {
  return 20 + 4 * programSize(pattern) + 300 * (pattern.match(WIDE)?.length ?? 0);
}

const REPEAT = /\{(\d{1,4})(?:,(\d{0,4}))?\}/y;
/** The size of a Unicode class, which has hundreds of ranges. */
const CLASS_SIZE = 20;

/** Estimates the number of instructions of a pattern. A repeated part counts as often as it may repeat. */
export function programSize(pattern: string): number {
  const open: number[] = [];
  let total = 0;
  let atom = 0;
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i];
    if (character === '{') {
      REPEAT.lastIndex = i;
      const repeat = REPEAT.exec(pattern);
      if (repeat === null) continue;
      const times = Math.max(Number(repeat[1]), Number(repeat[2] ?? 0));
      total += atom * (times - 1);
      i += repeat[0].length - 1;
    } else if (character === '(') open.push(total);
    else if (character === ')') atom = total - (open.pop() ?? 0) + 1;
    else {
      const escaped = character === '\\' && /[pP]/.test(pattern[++i] ?? '');
      if (character === '[') i = classEnd(pattern, i);
      atom = escaped ? CLASS_SIZE : 1;
      total += atom;
    }
    if (total > MAX_PROGRAM) return total;
  }
  return total;
}

function classEnd(pattern: string, start: number): number {
  let i = pattern[start + 1] === '^' ? start + 2 : start + 1;
  for (i++; i < pattern.length && pattern[i] !== ']'; i++) if (pattern[i] === '\\') i++;
  return i;
}
