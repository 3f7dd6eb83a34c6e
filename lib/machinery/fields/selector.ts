import { badRequest } from '../errors.ts';

/** A condition on one field. An absent field counts as empty. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** All requirements must match. An empty selector matches every object. */
export type FieldSelector = readonly FieldRequirement[];

/** The maximum number of characters and terms, as for label selectors. Upstream has no limit. */
const MAX_LENGTH = 256 * 1024;
const MAX_TERMS = 10_000;

/** Parses `metadata.name=a,spec.x!=b`, with `\`, `,` and `=` escaped by a backslash in values. Throws 400 with upstream's text. */
export function parseFieldSelector(text: string): FieldSelector {
  const found = text.length > MAX_LENGTH ? undefined : terms(text);
  if (found === undefined || found.length > MAX_TERMS) throw badRequest('invalid selector: too many terms');
  return found
    .sort()
    .filter((term) => term !== '')
    .map((term) => parseTerm(text, term))
    .filter(({ field, value }) => field !== '' || value !== '');
}

/** Splits at commas that are not escaped by a backslash. */
function terms(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function parseTerm(selector: string, term: string): FieldRequirement {
  const match = /^([^]*?)(!=|==|=)([^]*)$/.exec(term);
  if (match === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field = '', operator, value = ''] = match;
  return { field, operator: operator === '!=' ? '!=' : '=', value: unescapeValue(value) };
}

function unescapeValue(value: string): string {
  let out = '';
  let escaped = false;
  for (const rune of value) {
    if (escaped && !'\\,='.includes(rune)) throw invalidEscape(`\\${rune}`);
    if (!escaped && (rune === ',' || rune === '=')) throw unescaped(rune);
    if (!escaped && rune === '\\') escaped = true;
    else {
      out += rune;
      escaped = false;
    }
  }
  if (escaped) throw invalidEscape('\\');
  return out;
}

const invalidEscape = (sequence: string) => badRequest(`invalid field selector: invalid escape sequence: ${sequence}`);
/** Prints the rune as a number, as upstream does. */
const unescaped = (rune: string) =>
  badRequest(`invalid field selector: unescaped character in value: ${rune.codePointAt(0)}`);

/** Whether an object with these field values matches. A field that the object lacks counts as empty. */
export function matchesFields(selector: FieldSelector, fields: Readonly<Record<string, string>>): boolean {
  return selector.every(({ field, operator, value }) => {
    const actual = Object.hasOwn(fields, field) ? (fields[field] as string) : '';
    return operator === '=' ? actual === value : actual !== value;
  });
}

/** The exact value that the selector requires for `field`, if any. The caller can then use a get instead of a list. */
export function requiresExactMatch(selector: FieldSelector, field: string): string | undefined {
  return selector.find((item) => item.field === field && item.operator === '=')?.value;
}

/** Formats a selector. `parseFieldSelector` parses it. */
export function fieldSelectorText(selector: FieldSelector): string {
  return selector
    .map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
}
