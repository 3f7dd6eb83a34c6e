import { quote } from '#lib/machinery/go.ts';
import { type CelError, error } from '../values/value.ts';

/** A clause of a format: `%.2f` has the verb `f` and the precision 2. */
export interface Clause {
  readonly verb: string;
  readonly precision: number | undefined;
}

/** The maximum precision of Go's printer. A larger one could exhaust memory. */
const MAX_PRECISION = 1_000_000;

/** The maximum number of characters that one call may create. */
const MAX_TEXT = 1024 * 1024;
/** The error for a text longer than MAX_TEXT. */
export const textTooLong = (): CelError => error('text too long');

/** Replaces each clause of `string.format` with the result of `render`, which is called with the clause and its argument's index. */
export function formatWith(
  format: string,
  argCount: number,
  render: (clause: Clause, index: number) => string | CelError,
): string | CelError {
  let out = '';
  let index = 0;
  for (let i = 0; i < format.length; ) {
    if (format[i] !== '%' || format[i + 1] === '%') {
      out += format[i];
      i += format[i] === '%' ? 2 : 1;
      continue;
    }
    if (index >= argCount) return error(`index ${index} out of range`);
    if (i + 1 >= format.length) return error('unexpected end of string');
    const clause = readClause(format.slice(i + 1));
    if (typeof clause === 'string') return error(`could not parse formatting clause: ${clause}`);
    const text = render(clause, index++);
    if (typeof text !== 'string') return error(`error during formatting: ${text.message}`);
    out += text;
    if (out.length > MAX_TEXT) return textTooLong();
    i += 1 + clause.length;
  }
  return out;
}

function readClause(rest: string): (Clause & { length: number }) | string {
  const digits = /^\.([0-9]*)/.exec(rest)?.[1];
  const length = digits === undefined ? 0 : digits.length + 1;
  const verb = rest[length];
  if (verb === undefined) return 'error while parsing precision: could not find end of precision specifier';
  const wrong = digits === undefined ? undefined : precisionFault(digits);
  if (wrong !== undefined) {
    return `error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing ${quote(digits ?? '')}: ${wrong}`;
  }
  if (!'sdfebxXo'.includes(verb)) return `unrecognized formatting clause "${firstByte(verb)}"`;
  return { verb, precision: digits === undefined ? undefined : Number(digits), length: length + 1 };
}

function precisionFault(digits: string): string | undefined {
  if (digits === '') return 'invalid syntax';
  return Number(digits) > MAX_PRECISION ? 'value out of range' : undefined;
}

/** Upstream shows the first byte of a character. */
const firstByte = (c: string): string => String.fromCharCode(Buffer.from(c)[0] as number);
