import { MAX_INT32 } from '../integer-limits.ts';
import { type FieldError, type FieldPath, invalid, required } from './field.ts';
import { byteLength, EMPTY, inclusiveRange, maxLength, regexError } from './messages.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName } from './names.ts';

/** Creates a check for one pattern. Its message includes the pattern and examples. */
function format(pattern: string, what: string, ...examples: string[]): (value: string) => string[] {
  const whole = new RegExp(`^${pattern}$`);
  return (value) => (whole.test(value) ? [] : [regexError(what, pattern, ...examples)]);
}

/** Upstream's IsValidPercent: the messages for a text that is not a percentage such as `50%`. */
export const isValidPercent = format(
  '[0-9]+%',
  "a valid percent string must be a numeric string followed by an ending '%'",
  '1%',
  '93%',
);
/** Upstream's IsHTTPHeaderName: the messages for a text that is not an HTTP header name. */
export const isHTTPHeaderName = format(
  '[-A-Za-z0-9]+',
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  'X-Header-Name',
);
/** Upstream's IsCIdentifier: the messages for a text that is not a C identifier. */
export const isCIdentifier = format(
  '[A-Za-z_][A-Za-z0-9_]*',
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  'my_name',
  'MY_NAME',
  'MyName',
);
const configMapKey = format(
  '[-._a-zA-Z0-9]+',
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  'key.name',
  'KEY_NAME',
  'key-name',
);
const envVarName = format(
  '[-._a-zA-Z][-._a-zA-Z0-9]*',
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  'my.env-name',
  'MY_ENV.NAME',
  'MyEnvName1',
);
const httpPath = format("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+", 'Invalid path');

/** Upstream's IsConfigMapKey: the messages for a text that is not a valid key of a ConfigMap or Secret. */
export function isConfigMapKey(value: string): string[] {
  const errors = byteLength(value) > 253 ? [maxLength(253)] : [];
  return [...errors, ...configMapKey(value), ...dotted(value)];
}

/** Upstream's IsEnvVarName: the messages for a text that is not a valid name of an environment variable. */
export const isEnvVarName = (value: string): string[] => [...envVarName(value), ...dotted(value)];

/** Upstream's IsRelaxedEnvVarName: accepts printable ASCII without `=`. */
export function isRelaxedEnvVarName(value: string): string[] {
  if (value === '') return [`environment variable name ${EMPTY}`];
  if (/^[\x20-\x3c\x3e-\x7e]*$/.test(value)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

function dotted(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** Upstream's IsValidPortName: the messages for a text that is not an IANA service name of at most 15 characters. */
export function isValidPortName(value: string): string[] {
  const errors = byteLength(value) > 15 ? [maxLength(15)] : [];
  if (!/^[-a-z0-9]+$/.test(value)) {
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

/** Upstream's IsInRange: the messages for a number outside `low` to `high`, both inclusive. */
export const isInRange = (value: number | bigint, low: number, high: number): string[] =>
  value >= low && value <= high ? [] : [inclusiveRange(low, high)];
/** Upstream's IsValidPortNum: 1 to 65535. */
export const isValidPortNum = (port: number | bigint): string[] => isInRange(port, 1, 65535);
/** Upstream's IsValidUserID: 0 to MAX_INT32. */
export const isValidUserID = (id: number | bigint): string[] => isInRange(id, 0, MAX_INT32);

/** Checks for a decimal integer in Go's format. */
export function isDecimalInteger(value: string): string[] {
  if (value === '') return [EMPTY];
  return /^(0|-?[1-9][0-9]*)$/.test(value) ? [] : ['must be a valid decimal integer in canonical form'];
}

/** Checks for a name with at least three segments. */
export function isFullyQualifiedName(path: FieldPath, name: string): FieldError[] {
  if (name === '') return [required(path)];
  const messages = isDNS1123Subdomain(name);
  if (messages.length > 0) return [invalid(path, name, messages.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalid(path, name, 'should be a domain with at least three segments separated by dots')];
}

/** Checks for a domain with at least two segments. A trailing dot is allowed. */
export function isFullyQualifiedDomainName(path: FieldPath, value: string): FieldError[] {
  if (value === '') return [required(path)];
  const name = value.endsWith('.') ? value.slice(0, -1) : value;
  const messages = isDNS1123Subdomain(name);
  if (messages.length > 0) return [invalid(path, name, messages.join(','))];
  const labels = name.split('.');
  if (labels.length < 2)
    return [invalid(path, name, 'should be a domain with at least two segments separated by dots')];
  return labels.flatMap((label) => {
    const wrong = isDNS1123Label(label);
    return wrong.length > 0 ? [invalid(path, label, wrong.join(','))] : [];
  });
}

/** Upstream's IsDomainPrefixedPath: a domain, a slash and a path. */
export function isDomainPrefixedPath(path: FieldPath, value: string): FieldError[] {
  if (value === '') return [required(path)];
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1) {
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const host = value.slice(0, slash);
  const rest = value.slice(slash + 1);
  return [
    ...isDNS1123Subdomain(host).map((message) => invalid(path, host, message)),
    ...httpPath(rest).map((message) => invalid(path, rest, message)),
  ];
}

/** Upstream's IsDomainPrefixedKey: a qualified name with a domain before the slash. */
export function isDomainPrefixedKey(path: FieldPath, key: string): FieldError[] {
  if (key === '') return [required(path)];
  const errors = isQualifiedName(key).map((message) => invalid(path, key, message));
  if (errors.length > 0 || key.includes('/')) return errors;
  return [invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
}
