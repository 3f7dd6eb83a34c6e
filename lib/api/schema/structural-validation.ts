import { wasEmpty } from '#lib/machinery/empties.ts';
import {
  errorText,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from '#lib/machinery/validation/field.ts';
import { completenessErrors } from './completeness.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import { compilePattern } from './regexp.ts';
import type { Structural } from './structural.ts';
import { isIntOrStringAnyOf } from './unfold.ts';

/** The position of a schema, which determines where a type is required. */
type Level = 'root' | 'item' | 'field';

const UNTYPED: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** Upstream's `ValidateStructural`, sorted by text. */
export function validateStructural(path: FieldPath, schema: Structural): FieldError[] {
  const errors = [...invariantErrors(schema, 'root', path), ...completenessErrors(schema, path)];
  return errors
    .map((error) => ({ error, text: errorText(error) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ error }) => error);
}

function invariantErrors(s: Structural, level: Level, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (s.type === 'array' && s.items === undefined) errors.push(required(path.child('items'), 'must be specified'));
  if (s.items !== undefined) errors.push(...invariantErrors(s.items, 'item', path.child('items')));
  for (const [name, property] of s.properties ?? []) {
    errors.push(...invariantErrors(property, 'field', path.child('properties').key(name)));
  }
  if (s.additionalProperties !== undefined) {
    const at = path.child('additionalProperties');
    if (level === 'root') errors.push(forbidden(at, 'must not be used at the root'));
    if (typeof s.additionalProperties === 'object')
      errors.push(...invariantErrors(s.additionalProperties, 'field', at));
  }
  errors.push(...extensionErrors(s, path));
  errors.push(...valueErrors(s, { path, skipAnyOf: isIntOrStringAnyOf(s.anyOf), skipFirst: isIntOrStringAllOf(s) }));
  errors.push(...typeErrors(s, level, path), ...metaErrors(s, level, path));
  return errors;
}

function extensionErrors(s: Structural, path: FieldPath): FieldError[] {
  if (s.intOrString !== true) return [];
  const text = 'must be false if x-kubernetes-int-or-string is true';
  return [
    ...(s.preserveUnknownFields === true
      ? [invalid(path.child('x-kubernetes-preserve-unknown-fields'), true, text)]
      : []),
    ...(s.embeddedResource === true ? [invalid(path.child('x-kubernetes-embedded-resource'), true, text)] : []),
  ];
}

function typeErrors(s: Structural, level: Level, path: FieldPath): FieldError[] {
  const type = s.type ?? '';
  const at = path.child('type');
  const errors: FieldError[] = [];
  if (s.embeddedResource === true && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(at, text) : invalid(at, type, text));
  } else if (type === '' && s.intOrString !== true && s.preserveUnknownFields !== true) {
    errors.push(required(at, UNTYPED[level]));
  }
  if (s.embeddedResource === true && s.additionalProperties !== undefined) {
    const text = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbidden(path.child('additionalProperties'), text));
  }
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(invalid(at, type, 'must be object at the root'));
  return errors;
}

function metaErrors(s: Structural, level: Level, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const isResource = level === 'root' || s.embeddedResource === true;
  const property = (name: string): FieldPath => path.child('properties').key(name);
  for (const name of isResource ? ['kind', 'apiVersion'] : []) {
    const schema = s.properties?.get(name);
    if (schema !== undefined && schema.type !== 'string') {
      errors.push(invalid(property(name).child('type'), schema.type ?? '', 'must be string'));
    }
  }
  const metadata = s.properties?.get('metadata');
  if (metadata !== undefined) errors.push(...metadataErrors(metadata, level, isResource, property('metadata')));
  if (s.embeddedResource === true && s.preserveUnknownFields !== true && s.properties === undefined) {
    const text =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(path.child('properties'), text));
  }
  return errors;
}

const NAMES = new Set(['name', 'generateName']);
/** Lists that a structural schema keeps even if they are empty. */
const HOLLOW = ['required', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations'];

function metadataErrors(s: Structural, level: Level, isResource: boolean, path: FieldPath): FieldError[] {
  const errors = isResource && s.type !== 'object' ? [invalid(path.child('type'), s.type ?? '', 'must be object')] : [];
  if (level !== 'root') return errors;
  const { properties, type: _type, default: _default, ref: _ref, ...rest } = s;
  const onlyNames = [...(properties?.keys() ?? [])].every((name) => NAMES.has(name));
  if (onlyNames && Object.keys(rest).length === 0 && !HOLLOW.some((name) => wasEmpty(s, name))) return errors;
  const text = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return [...errors, forbidden(path, text)];
}

interface ValuePlace {
  readonly path: FieldPath;
  /** Whether the anyOf (or the anyOf in the first allOf) is the one that int-or-string implies. */
  readonly skipAnyOf: boolean;
  readonly skipFirst: boolean;
}

const plain = (path: FieldPath): ValuePlace => ({ path, skipAnyOf: false, skipFirst: false });

function valueErrors(s: JSONSchemaProps, { path, skipAnyOf, skipFirst }: ValuePlace): FieldError[] {
  const errors: FieldError[] = [];
  const each = (name: 'anyOf' | 'allOf' | 'oneOf', first: boolean): void => {
    for (const [i, item] of (s[name] ?? []).entries()) {
      errors.push(...nestedErrors(item, { ...plain(path.child(name).index(i)), skipAnyOf: first && i === 0 }));
    }
  };
  if (!skipAnyOf) each('anyOf', false);
  each('allOf', skipFirst);
  each('oneOf', false);
  if (s.not !== undefined) errors.push(...nestedErrors(s.not, plain(path.child('not'))));
  const problem = s.pattern === undefined ? undefined : compilePattern(s.pattern);
  if (typeof problem === 'string') {
    errors.push(invalid(path.child('pattern'), s.pattern, `must be a valid regular expression, but isn't: ${problem}`));
  }
  return errors;
}

/** Fields that a schema below allOf, anyOf, oneOf or not must not set. */
const FORBIDDEN: ReadonlyArray<readonly [keyof JSONSchemaProps, string, string]> = [
  ['type', 'type', 'must be empty to be structural'],
  ['default', 'default', 'must be undefined to be structural'],
  ['title', 'title', 'must be empty to be structural'],
  ['description', 'description', 'must be empty to be structural'],
  ['nullable', 'nullable', 'must be false to be structural'],
  ['preserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['embeddedResource', 'x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['intOrString', 'x-kubernetes-int-or-string', 'must be false to be structural'],
  ['listMapKeys', 'x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['listType', 'x-kubernetes-list-type', 'must be undefined to be structural'],
  ['mapType', 'x-kubernetes-map-type', 'must be undefined to be structural'],
  ['validations', 'x-kubernetes-validations', 'must be empty to be structural'],
];

function nestedErrors(s: JSONSchemaProps, place: ValuePlace): FieldError[] {
  const { path } = place;
  const errors = valueErrors(s, place);
  if (s.items !== undefined) errors.push(...nestedErrors(s.items, plain(path.child('items'))));
  for (const [name, property] of s.properties ?? []) {
    errors.push(...nestedErrors(property, plain(path.child('properties').key(name))));
  }
  if (s.additionalProperties !== undefined && s.additionalProperties !== false) {
    errors.push(forbidden(path.child('additionalProperties'), 'must be undefined to be structural'));
  }
  for (const [name, shown, text] of FORBIDDEN)
    if (s[name] !== undefined) errors.push(forbidden(path.child(shown), text));
  if (s.properties?.has('metadata') === true) {
    errors.push(forbidden(path.child('properties').key('metadata'), 'must not be specified in a nested context'));
  }
  return errors;
}

const isIntOrStringAllOf = (s: Structural): boolean => isIntOrStringAnyOf(s.allOf?.[0]?.anyOf);
