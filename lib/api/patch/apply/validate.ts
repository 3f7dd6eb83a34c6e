import { goNumber, quote } from '#lib/machinery/go.ts';
import { goType, goValue } from '#lib/machinery/go-values.ts';
import { isObject, type Json } from '#lib/machinery/json-value.ts';
import { formOf, INVALID_ATOM, type Problem } from './form.ts';
import { fieldElement, itemElement, type PathElement, showElement, showPath } from './path-element.ts';
import { fieldType, type ListType, type MapType, type Scalar, type TypedSchema } from './schema.ts';

interface Walk {
  readonly path: PathElement[];
  readonly problems: Problem[];
  readonly allowDuplicates: boolean;
}

/** Returns the reasons why a value does not match its type; empty if it does. Stored objects may contain list items with duplicate keys. */
export function validate(value: Json, schema: TypedSchema, { allowDuplicates = false } = {}): readonly Problem[] {
  const walk: Walk = { path: [], problems: [], allowDuplicates };
  validateNode(walk, value, schema);
  return walk.problems;
}

function report(walk: Walk, message: string): void {
  walk.problems.push({ path: showPath(walk.path, goNumber), message });
}

function validateNode(walk: Walk, value: Json, schema: TypedSchema): void {
  switch (formOf(schema, value)) {
    case 'map':
      return validateMap(walk, value, schema.map as MapType);
    case 'list':
      return validateList(walk, value, schema.list as ListType);
    case 'scalar': {
      const problem = scalarProblem(schema.scalar, value);
      return problem === undefined ? undefined : report(walk, problem);
    }
    default:
      return report(walk, INVALID_ATOM);
  }
}

function validateMap(walk: Walk, value: Json, type: MapType): void {
  if (value === null) return undefined;
  if (!isObject(value)) return report(walk, `expected map, got ${wrapped(value)}`);
  for (const field of Object.keys(value)) {
    const schema = fieldType(type, field);
    walk.path.push(fieldElement(field));
    if (schema === undefined) report(walk, 'field not declared in schema');
    else validateNode(walk, value[field] as Json, schema);
    walk.path.pop();
    if (schema === undefined) return undefined;
  }
  return undefined;
}

function validateList(walk: Walk, value: Json, type: ListType): void {
  if (value === null) return undefined;
  if (!Array.isArray(value)) return report(walk, `expected list, got ${wrapped(value)}`);
  const seen = new Set<PathElement>();
  for (const [i, item] of value.entries()) {
    const step = type.relationship === 'atomic' ? { element: `i:${i}` } : itemElement(type, item);
    if ('reason' in step) return report(walk, `element ${i}: ${step.reason}`);
    if (seen.has(step.element) && !walk.allowDuplicates) {
      report(walk, `duplicate entries for key ${showElement(step.element, goNumber)}`);
    }
    seen.add(step.element);
    walk.path.push(step.element);
    validateNode(walk, item, type.items);
    walk.path.pop();
  }
  return undefined;
}

/** Returns the reason why a value does not match a scalar type. Null matches every type. */
export function scalarProblem(scalar: Scalar | undefined, value: Json): string | undefined {
  if (value === null) return undefined;
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (scalar) {
    case 'numeric':
      return isNumber ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return typeof value === 'string' ? undefined : `expected string, got ${sharp(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${wrapped(value)}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got ${wrapped(value)}` : undefined;
    case undefined:
      return 'unexpected scalar type in schema: ';
    default:
      return scalar satisfies never;
  }
}

/** Formats upstream's wrapper around a value like Go's `%v` and `%#v`. */
const wrapped = (value: Json): string => `&{${goValue(value)}}`;
const sharp = (value: Json): string => `&value.valueUnstructured{Value:${goSyntax(value)}}`;

function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return goNumber(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return String(value);
  const fields = Object.keys(value).sort();
  const shown = fields.map((field) => `${quote(field)}:${goSyntax(value[field] as Json)}`);
  return `map[string]interface {}{${shown.join(', ')}}`;
}
