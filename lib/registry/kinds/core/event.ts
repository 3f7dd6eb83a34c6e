import { shownField } from '#lib/api/internal-form.ts';
import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, has, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { IMMUTABLE, byteLength } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { dns1123Subdomain, qualifiedName } from '../shared/validate.ts';

const NAMESPACE = FieldPath.of('involvedObject', 'namespace');

/** What every event obeys. `reporter` is the name that the request's version has for the reporting controller. */
function legacyErrors(event: JsonObject, reporter: string): FieldError[] {
  const namespace = text(objectAt(event, 'metadata'), 'namespace');
  const errors = has(event, 'eventTime') ? newErrors(event, namespace, reporter) : oldErrors(event, namespace);
  return [...errors, ...dns1123Subdomain(namespace, FieldPath.of('namespace'))];
}

const mismatch = (given: string): FieldError[] => [invalid(NAMESPACE, given, 'does not match event.namespace')];

/** Without an event time: the namespaces agree. Objects of the cluster have their events in `default`. */
function oldErrors(event: JsonObject, namespace: string): FieldError[] {
  const involved = text(objectAt(event, 'involvedObject'), 'namespace');
  if (involved === '') return namespace === '' || namespace === 'default' ? [] : mismatch(involved);
  return involved === namespace ? [] : mismatch(involved);
}

function newErrors(event: JsonObject, namespace: string, reporter: string): FieldError[] {
  const involved = text(objectAt(event, 'involvedObject'), 'namespace');
  const controller = text(event, 'reportingComponent');
  const misplaced = involved === '' && namespace !== 'default' && namespace !== 'kube-system';
  return [
    ...(misplaced ? mismatch(involved) : []),
    ...(controller === '' ? [required(reporter)] : []),
    ...qualifiedName(controller, FieldPath.of(reporter)),
    ...bounded(event, 'reportingInstance'),
    ...bounded(event, 'action'),
    ...bounded(event, 'reason'),
    ...atMost(event, 'message', 1024),
  ];
}

const bounded = (event: JsonObject, field: string): FieldError[] => [
  ...(text(event, field) === '' ? [required(field)] : []),
  ...atMost(event, field, 128),
];

function atMost(event: JsonObject, field: string, limit: number): FieldError[] {
  return byteLength(text(event, field)) > limit ? [invalid(field, '', `can have at most ${limit} characters`)] : [];
}

/** The rules of events.k8s.io/v1 beyond the old ones. */
function strictErrors(event: JsonObject): FieldError[] {
  const type = text(event, 'type');
  const source = objectAt(event, 'source');
  const unset = (field: string, set: boolean): FieldError[] => (set ? [invalid(field, '', 'needs to be unset')] : []);
  return [
    ...seriesErrors(event),
    ...(has(event, 'eventTime') ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...unset('firstTimestamp', has(event, 'firstTimestamp')),
    ...unset('lastTimestamp', has(event, 'lastTimestamp')),
    ...unset('count', count(event, 'count') !== 0),
    ...unset('source', text(source, 'component') !== '' || text(source, 'host') !== ''),
  ];
}

function seriesErrors(event: JsonObject): FieldError[] {
  const series = objectAt(event, 'series');
  if (series === undefined) return [];
  return [
    ...(count(series, 'count') < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(has(series, 'lastObservedTime') ? [] : [required('series.lastObservedTime')]),
  ];
}

/** Fields that an event keeps, with their names in errors. */
const KEPT: readonly (readonly [field: string, shown: string])[] = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

function strictUpdateErrors(event: JsonObject, old: JsonObject): FieldError[] {
  const series = equal(ownField(event, 'series'), ownField(old, 'series')) ? [] : seriesErrors(event);
  const changed = KEPT.filter(([field]) => !equal(ownField(event, field), ownField(old, field)));
  return [
    ...series,
    ...changed.map(([field, shown]) => invalid(shown, shownField('core.v1.Event', event, field), IMMUTABLE)),
  ];
}

function selectableFields(event: JsonObject): Record<string, string> {
  const involved = objectAt(event, 'involvedObject');
  const parts = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  const component = text(event, 'reportingComponent');
  return {
    ...Object.fromEntries(parts.map((part) => [`involvedObject.${part}`, text(involved, part)])),
    reason: text(event, 'reason'),
    reportingComponent: component,
    source: text(at(event, 'source'), 'component') || component,
    type: text(event, 'type'),
  };
}

const common: KindStrategy = {
  allowCreateOnUpdate: true,
  hasGeneration: false,
  defaultPropagation: 'unsupported',
  selectableFields,
};

/** Upstream's pkg/registry/core/event for requests on the core group. */
export const eventStrategy: KindStrategy = {
  ...common,
  validate: (event) => legacyErrors(event, 'reportingComponent'),
  validateUpdate: (event) => legacyErrors(event, 'reportingComponent'),
};

/** The same store for requests on events.k8s.io/v1, whose writers obey stricter rules. Objects are core/v1's. */
export const eventsGroupStrategy: KindStrategy = {
  ...common,
  validateFirst: (event) => legacyErrors(event, 'reportingController'),
  validate: strictErrors,
  validateUpdate: (event, old) => [...legacyErrors(event, 'reportingController'), ...strictUpdateErrors(event, old)],
};
