import { defined } from '#lib/machinery/defined.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { equal, isObject, type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { sameMetadata } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { Change } from '#lib/storage/sequence.ts';
import type { ChangeEvent, Section } from './event-schema.ts';

/** The source of every control plane's events, for matching in rules. */
export const SOURCE = 'davit';

const DETAIL_TYPES = { ADDED: 'Object Added', MODIFIED: 'Object Modified', DELETED: 'Object Deleted' } as const;
/** The detail-type of an event, for matching in rules. */
export const detailTypeOf = ({ type }: Pick<ChangeEvent, 'type'>): string => DETAIL_TYPES[type];

/**
 * Creates the event of a change. It contains no object data except the placement of a pod. Throws TypeError if the body is not an object.
 */
export function eventOf(change: Change, { clusterId, sequence }: { clusterId: string; sequence: string }): ChangeEvent {
  const { cluster, group, resource, namespace, name } = parseKey(change.key);
  const object = parsed(change.body);
  const changed = change.type === 'MODIFIED' ? changedSections(object, change.previousBody) : undefined;
  return {
    format: 1,
    clusterId,
    cluster,
    sequence,
    type: change.type,
    apiVersion: stringAt(object, 'apiVersion') ?? '',
    kind: stringAt(object, 'kind') ?? '',
    resource,
    ...(namespace === '' ? {} : { namespace }),
    name,
    uid: stringAt(objectAt(object, 'metadata'), 'uid') ?? '',
    resourceVersion: String(change.version),
    ...(change.previous === undefined ? {} : { previousResourceVersion: String(change.previous.version) }),
    ...(change.generation > 0 ? { generation: change.generation } : {}),
    ...defined({ changed }),
    ...(resource === 'pods' && group === '' ? { pod: placeOf(object) } : {}),
  };
}

/** The fields that determine whether a scheduler must handle the pod. */
function placeOf(pod: JsonObject): NonNullable<ChangeEvent['pod']> {
  const spec = objectAt(pod, 'spec');
  return {
    nodeName: text(spec, 'nodeName'),
    schedulerName: text(spec, 'schedulerName'),
    phase: text(objectAt(pod, 'status'), 'phase'),
  };
}

const SECTION_OF: ReadonlyMap<string, Section> = new Map([
  ['metadata', 'metadata'],
  ['spec', 'spec'],
  ['status', 'status'],
  ['data', 'data'],
  ['binaryData', 'data'],
  ['stringData', 'data'],
]);
function changedSections(object: JsonObject, previousBody: Uint8Array | undefined): Section[] | undefined {
  if (previousBody === undefined) return undefined;
  const previous = parsed(previousBody);
  const sections = new Set<Section>();
  for (const field of new Set([...Object.keys(object), ...Object.keys(previous)])) {
    if (differs(field, object, previous)) sections.add(SECTION_OF.get(field) ?? 'other');
  }
  if (sections.has('status') && !equal(allocatableOf(object), allocatableOf(previous))) sections.add('allocatable');
  return [...sections].sort();
}

/** A node's allocatable resources, the only part of its status that a scheduler reads; undefined for other kinds. */
const allocatableOf = (object: JsonObject): JsonObject | undefined =>
  stringAt(object, 'kind') === 'Node' ? objectAt(objectAt(object, 'status'), 'allocatable') : undefined;

const differs = (field: string, object: JsonObject, previous: JsonObject): boolean =>
  field === 'metadata' ? !sameMetadata(object, previous) : !equal(ownField(object, field), ownField(previous, field));

function parsed(body: Uint8Array): JsonObject {
  const value = parseStored(body);
  if (!isObject(value)) throw new TypeError('a stored body holds no object');
  return value;
}
