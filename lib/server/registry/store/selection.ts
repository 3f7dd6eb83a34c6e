import { badRequest } from '#lib/machinery/errors.ts';
import {
  type FieldSelector,
  matchesFields,
  parseFieldSelector,
  requiresExactMatch,
} from '#lib/machinery/fields/selector.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject } from '#lib/machinery/json-value.ts';
import { type LabelSelector, matches as matchesLabels, parseSelector } from '#lib/machinery/labels/selector.ts';
import { indexedFields, isIndexed } from '#lib/storage/indexed-fields.ts';
import { keyPrefix, objectKey, parseKey } from '#lib/storage/keys.ts';
import type { Narrowing, StoredObject } from '#lib/storage/storage.ts';
import type { ResourceDefinition } from '../resource.ts';

/** The objects of a resource that a list, watch or collection delete selects. */
export interface Selection {
  /** The key prefix, or the whole key if the selector names one object. */
  readonly prefix: string;
  /** Absent if every object with the prefix matches. */
  readonly matches?: (object: StoredObject) => boolean;
  /** A condition for which storage may have an index. */
  readonly where?: Narrowing;
}

/** The selectors of a request. */
export interface SelectionRequest {
  readonly cluster: string;
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** The name in the path, for a watch of one object. */
  readonly name: string;
}

/** Parses the selectors. Throws 400 for a malformed selector and for a field that the kind does not support. */
export function select(definition: ResourceDefinition, request: SelectionRequest): Selection {
  const labels = request.labelSelector === '' ? undefined : parseSelector(request.labelSelector);
  const fields = fieldSelector(definition, request);
  const name = fields && requiresExactMatch(fields, 'metadata.name');
  const prefix = selectionPrefix(definition, request, name);
  if (labels === undefined && fields === undefined) return { prefix };
  if (labels === undefined && fields?.length === 1 && name !== undefined && !prefix.endsWith('/')) {
    return { prefix, matches: ({ key }) => key === prefix };
  }
  const where = fieldNarrowing(definition, fields) ?? (labels === undefined ? undefined : narrowing(labels));
  const selection = { prefix, matches: (object: StoredObject) => matches(definition, object, labels, fields) };
  return where === undefined ? selection : { ...selection, where };
}

/** A field with one required value for which storage has an index. */
function fieldNarrowing({ storedAs }: ResourceDefinition, fields: FieldSelector = []): Narrowing | undefined {
  for (const field of indexedFields(storedAs)) {
    const value = requiresExactMatch(fields, field);
    if (isIndexed(value)) return { field, value };
  }
  return undefined;
}

/** The last label with one required value. In the pod selector of a workload this is the pod template hash. */
function narrowing({ requirements }: LabelSelector): Narrowing | undefined {
  const exact = requirements.findLast(
    ({ operator, values }) => ['=', '==', 'in'].includes(operator) && values.length === 1 && values[0] !== '',
  );
  return exact && { label: exact.key, value: exact.values[0] ?? '' };
}

function fieldSelector(
  definition: ResourceDefinition,
  { fieldSelector: text, name }: SelectionRequest,
): FieldSelector | undefined {
  if (text === '' && name === '') return undefined;
  const selector = parseFieldSelector(name === '' ? text : `metadata.name=${name}`);
  return selector.map((requirement) => ({ ...requirement, field: meaning(definition, requirement.field) }));
}

/** The field for a label in the request's version. */
function meaning({ fieldLabels, selectableFields }: ResourceDefinition, label: string): string {
  if (fieldLabels !== undefined) {
    if (Object.hasOwn(fieldLabels.labels, label)) return fieldLabels.labels[label] as string;
    throw fieldLabels.refuse(label);
  }
  if (['metadata.name', 'metadata.namespace', ...selectableFields].includes(label)) return label;
  throw badRequest(`field label not supported: ${label}`);
}

function selectionPrefix(
  { storedAs, namespaced }: ResourceDefinition,
  { cluster, namespace }: SelectionRequest,
  name: string | undefined,
): string {
  const at = { cluster, group: storedAs.group, resource: storedAs.resource };
  if (namespaced && namespace === '') return keyPrefix(at);
  const scope = namespaced ? namespace : '';
  return name === undefined ? keyPrefix(at, scope) : objectKey({ ...at, namespace: scope, name });
}

function matches(
  definition: ResourceDefinition,
  object: StoredObject,
  labels: LabelSelector | undefined,
  fields: FieldSelector | undefined,
): boolean {
  const { key, summary } = object;
  if (labels !== undefined && !matchesLabels(labels, summary.labels)) return false;
  if (fields === undefined) return true;
  const { namespace, name } = parseKey(key);
  const own = definition.custom ? customFields(definition, object) : summary.fields;
  return matchesFields(fields, { ...own, 'metadata.name': name, 'metadata.namespace': namespace });
}

const derived = new WeakMap<
  StoredObject,
  { readonly view: string; readonly fields: Readonly<Record<string, string>> }
>();

/** The selectable fields of a custom resource. They change with its definition, so they are read from the object once per change. */
function customFields(
  { scheme, summarize, selectableFields }: ResourceDefinition,
  object: StoredObject,
): Readonly<Record<string, string>> {
  if (selectableFields.length === 0) return {};
  const known = derived.get(object);
  if (known?.view === scheme.viewName) return known.fields;
  const value = parseStored(object.body);
  const { fields } = summarize(isObject(value) ? value : {});
  derived.set(object, { view: scheme.viewName, fields });
  return fields;
}
