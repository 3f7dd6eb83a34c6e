import type { Event, EventSource, ObjectReference } from '#lib/api/types/core.v1.ts';

/** The content of an Event. */
export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Creates the event for the first occurrence, at an RFC 3339 time. Events about cluster-scoped objects are in `default`. */
export function newEvent(
  { component = '', host = '' }: EventSource,
  involvedObject: ObjectReference,
  { type, reason, message }: EventText,
  { name, time }: { readonly name: string; readonly time: string | null },
): Event {
  const namespace = involvedObject.namespace ?? 'default';
  return {
    metadata: { name, namespace },
    involvedObject,
    reason,
    message,
    source: { component, ...(host === '' ? {} : { host }) },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: host,
  };
}
