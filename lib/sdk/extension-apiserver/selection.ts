import { badRequest } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { matches, parseSelector } from '#lib/machinery/labels/selector.ts';
import { labelsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { ResourceScope } from './scope.ts';

/** Whether a list or watch selects an object. */
export type Selects = (object: JsonObject) => boolean;

/**
 * Parses the selectors of a request. A watch with a name in its path selects only that name, because it is authorized only for it. Throws
 * 400 for a selector that is malformed, or that uses a field other than name and namespace.
 */
export function selection({ request: { query }, info: { name } }: Pick<ResourceScope, 'request' | 'info'>): Selects {
  const labels = labelSelector(query.get('labelSelector') ?? '');
  const fields = (query.get('fieldSelector') ?? '')
    .split(',')
    .filter((one) => one !== '')
    .map(fieldTerm);
  const isNamed: Selects = (object) => name === '' || nameOf(object) === name;
  return (object) => isNamed(object) && matches(labels, labelsOf(object)) && fields.every((term) => term(object));
}

function labelSelector(text: string) {
  try {
    return parseSelector(text);
  } catch (error) {
    if (error instanceof Error) throw badRequest(error.message);
    throw error;
  }
}

const FIELDS: Readonly<Record<string, (object: JsonObject) => string>> = {
  'metadata.name': nameOf,
  'metadata.namespace': namespaceOf,
};

function fieldTerm(text: string): Selects {
  const found = /^(?<field>[^=!]+)(?<operator>!=|==?)(?<value>.*)$/.exec(text)?.groups;
  const { field = text, operator = '=', value = '' } = found ?? {};
  const read = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
  if (found === undefined || read === undefined) throw badRequest(`field label not supported: ${field}`);
  return (object) => (read(object) === value) === (operator !== '!=');
}
