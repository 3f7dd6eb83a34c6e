import { byteLength, EMPTY, maxBytes, maxLength, regexError } from './messages.ts';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const UNDERSCORE_LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const UNDERSCORE_SUBDOMAIN = `${UNDERSCORE_LABEL}(\\.${UNDERSCORE_LABEL})*`;
const WILDCARD = `\\*\\.${SUBDOMAIN}`;
const LABEL_KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${LABEL_KEY})?`;

const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
const label = whole(LABEL);
const label1035 = whole(LABEL_1035);
const subdomain = whole(SUBDOMAIN);
const underscoreSubdomain = whole(UNDERSCORE_SUBDOMAIN);
const wildcard = whole(WILDCARD);
const labelKey = whole(LABEL_KEY);
const labelValue = whole(LABEL_VALUE);

const MAX_LABEL = 63;
const MAX_SUBDOMAIN = 253;
const ENDS = 'and must start and end with an alphanumeric character';
const LABEL_TEXT = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ENDS}`;
const SUBDOMAIN_TEXT = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ENDS}`;
const UNDERSCORE_TEXT = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', ${ENDS}`;
const LABEL_1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const WILDCARD_TEXT =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
const LABEL_KEY_TEXT = `must consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`;
const LABEL_VALUE_TEXT = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`;
const LABEL_KEY_ERROR = regexError(LABEL_KEY_TEXT, LABEL_KEY, 'MyName', 'my.name', '123-abc');

/** Returns upstream's messages; empty for a valid value. */
export type NameCheck = (value: string) => string[];
/** `prefix` is true for a generateName, which gets a suffix. */
export type ValidateName = (name: string, prefix: boolean) => string[];

/** Upstream's IsDNS1123Label: the messages for a text that is not a label of at most 63 characters. */
export function isDNS1123Label(value: string): string[] {
  const errors = byteLength(value) > MAX_LABEL ? [maxLength(MAX_LABEL)] : [];
  if (label.test(value)) return errors;
  if (subdomain.test(value)) return [...errors, 'must not contain dots'];
  return [...errors, regexError(LABEL_TEXT, LABEL, 'my-name', '123-abc')];
}

/** Upstream's IsDNS1123Subdomain: the messages for a text that is not a subdomain of at most 253 characters. */
export function isDNS1123Subdomain(value: string): string[] {
  return bounded(value, subdomain, () => regexError(SUBDOMAIN_TEXT, SUBDOMAIN, 'example.com'));
}

/** Upstream's IsDNS1123SubdomainWithUnderscore. */
export function isDNS1123SubdomainWithUnderscore(value: string): string[] {
  return bounded(value, underscoreSubdomain, () => regexError(UNDERSCORE_TEXT, UNDERSCORE_SUBDOMAIN, 'example.com'));
}

/** Upstream's IsWildcardDNS1123Subdomain: `*.` and a subdomain. */
export function isWildcardDNS1123Subdomain(value: string): string[] {
  return bounded(value, wildcard, () => regexError(WILDCARD_TEXT, WILDCARD, '*.example.com'));
}

function bounded(value: string, pattern: RegExp, message: () => string): string[] {
  const errors = byteLength(value) > MAX_SUBDOMAIN ? [maxLength(MAX_SUBDOMAIN)] : [];
  return pattern.test(value) ? errors : [...errors, message()];
}

/** Upstream's IsDNS1035Label: a DNS-1123 label that begins with a letter. */
export function isDNS1035Label(value: string): string[] {
  const errors = byteLength(value) > MAX_LABEL ? [maxLength(MAX_LABEL)] : [];
  if (label1035.test(value)) return errors;
  return [...errors, regexError(LABEL_1035_TEXT, LABEL_1035, 'my-name', 'abc-123')];
}

/** Checks the key of a label or annotation, or a finalizer: a name with an optional DNS subdomain and '/' before it. */
export function isQualifiedName(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${LABEL_KEY_ERROR} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) as string;
  const errors = parts.length === 2 ? prefixErrors(parts[0] as string) : [];
  if (name === '') errors.push(`name part ${EMPTY}`);
  else if (byteLength(name) > MAX_LABEL) errors.push(`name part ${maxBytes(MAX_LABEL)}`);
  if (!labelKey.test(name)) errors.push(`name part ${LABEL_KEY_ERROR}`);
  return errors;
}

function prefixErrors(prefix: string): string[] {
  if (prefix === '') return [`prefix part ${EMPTY}`];
  const errors = byteLength(prefix) > MAX_SUBDOMAIN ? [`prefix part ${maxBytes(MAX_SUBDOMAIN)}`] : [];
  if (subdomain.test(prefix)) return errors;
  return [...errors, `prefix part ${regexError(SUBDOMAIN_TEXT, SUBDOMAIN, 'example.com')}`];
}

/** Upstream's IsValidLabelValue: the messages for a text that is not a label value of at most 63 characters. */
export function isValidLabelValue(value: string): string[] {
  const errors = byteLength(value) > MAX_LABEL ? [maxBytes(MAX_LABEL)] : [];
  if (labelValue.test(value)) return errors;
  return [...errors, regexError(LABEL_VALUE_TEXT, LABEL_VALUE, 'MyValue', 'my_value', '12345')];
}

/** Upstream's NameIsDNSSubdomain. */
export const nameIsDNSSubdomain: ValidateName = (name, prefix) => isDNS1123Subdomain(masked(name, prefix));
/** Upstream's NameIsDNSLabel. */
export const nameIsDNSLabel: ValidateName = (name, prefix) => isDNS1123Label(masked(name, prefix));
/** Upstream's NameIsDNS1035Label. */
export const nameIsDNS1035Label: ValidateName = (name, prefix) => isDNS1035Label(masked(name, prefix));

/** A prefix may end with a dash, because the suffix makes the name valid. */
function masked(name: string, prefix: boolean): string {
  return prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
