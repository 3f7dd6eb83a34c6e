import { shownField } from '#lib/api/internal-form.ts';
import type { Event } from '#lib/api/types/core.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { byteLength, IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { dns1123Subdomain, qualifiedName } from '../shared/validate.ts';

const NAMESPACE = FieldPath.of('involvedObject', 'namespace');

/** The rules for all events. `reporter` is the field name of the reporting controller in the request's version. */
function legacyErrors(event: Event, reporter: string): FieldError[] {
  const namespace = event.metadata.namespace ?? '';
  const errors = event.eventTime !== null ? newErrors(event, namespace, reporter) : oldErrors(event, namespace);
  return [...errors, ...dns1123Subdomain(namespace, FieldPath.of('namespace'))];
}

const mismatch = (given: string): FieldError[] => [invalid(NAMESPACE, given, 'does not match event.namespace')];

/** The rule for events without an event time: the namespaces match. Events of cluster-scoped objects belong to `default`. */
function oldErrors(event: Event, namespace: string): FieldError[] {
  const involved = event.involvedObject.namespace ?? '';
  if (involved === '') return namespace === '' || namespace === 'default' ? [] : mismatch(involved);
  return involved === namespace ? [] : mismatch(involved);
}

function newErrors(event: Event, namespace: string, reporter: string): FieldError[] {
  const involved = event.involvedObject.namespace ?? '';
  const controller = event.reportingComponent;
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

type Text = 'reportingInstance' | 'action' | 'reason' | 'message';

const bounded = (event: Event, field: Text): FieldError[] => [
  ...((event[field] ?? '') === '' ? [required(field)] : []),
  ...atMost(event, field, 128),
];

function atMost(event: Event, field: Text, limit: number): FieldError[] {
  return byteLength(event[field] ?? '') > limit ? [invalid(field, '', `can have at most ${limit} characters`)] : [];
}

/** The rules of events.k8s.io/v1 in addition to the old ones. */
function strictErrors(event: Event): FieldError[] {
  const type = event.type ?? '';
  const source = event.source;
  const unset = (field: string, set: boolean): FieldError[] => (set ? [invalid(field, '', 'needs to be unset')] : []);
  return [
    ...seriesErrors(event),
    ...(event.eventTime !== null ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...unset('firstTimestamp', event.firstTimestamp !== null),
    ...unset('lastTimestamp', event.lastTimestamp !== null),
    ...unset('count', (event.count ?? 0) !== 0),
    ...unset('source', (source.component ?? '') !== '' || (source.host ?? '') !== ''),
  ];
}

function seriesErrors(event: Event): FieldError[] {
  const series = event.series;
  if (series === undefined) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime !== null ? [] : [required('series.lastObservedTime')]),
  ];
}

/** Immutable fields of an event and their names in errors. */
const KEPT: readonly (readonly [field: keyof Event & string, shown: string])[] = [
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

function strictUpdateErrors(event: Event, old: Event): FieldError[] {
  const series = equal(event.series, old.series) ? [] : seriesErrors(event);
  const changed = KEPT.filter(([field]) => !equal(event[field], old[field]));
  return [
    ...series,
    ...changed.map(([field, shown]) => invalid(shown, shownField('core.v1.Event', event, field), IMMUTABLE)),
  ];
}

function selectableFields(event: Event): Record<string, string> {
  const involved = event.involvedObject;
  const parts = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;
  const component = event.reportingComponent;
  return {
    ...Object.fromEntries(parts.map((part) => [`involvedObject.${part}`, involved[part] ?? ''])),
    reason: event.reason ?? '',
    reportingComponent: component,
    source: (event.source.component ?? '') || component,
    type: event.type ?? '',
  };
}

const common: KindStrategy<Event> = {
  allowCreateOnUpdate: true,
  hasGeneration: false,
  defaultPropagation: 'unsupported',
  selectableFields,
};

/** Upstream's pkg/registry/core/event for requests to the core group. */
export const eventStrategy: KindStrategy<Event> = {
  ...common,
  validate: (event) => legacyErrors(event, 'reportingComponent'),
  validateUpdate: (event) => legacyErrors(event, 'reportingComponent'),
};

/** The same store for requests to events.k8s.io/v1, which has stricter rules. Objects are in core/v1. */
export const eventsGroupStrategy: KindStrategy<Event> = {
  ...common,
  validateFirst: (event) => legacyErrors(event, 'reportingController'),
  validate: strictErrors,
  validateUpdate: (event, old) => [...legacyErrors(event, 'reportingController'), ...strictUpdateErrors(event, old)],
};
