// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { EventSource, ObjectReference } from './core.v1.ts';
import type { ListMeta, ObjectMeta } from './meta.v1.ts';
import type { MicroTime, Time } from './scalars.ts';

/** Something that happened to an object, for people to read. Events go after about an hour. */
export type Event = {
  [typed]?: 'events.v1.Event';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  eventTime: MicroTime | null;
  series?: EventSeries;
  reportingController?: string;
  reportingInstance?: string;
  action?: string;
  reason?: string;
  regarding: ObjectReference;
  related?: ObjectReference;
  note?: string;
  type?: string;
  deprecatedSource: EventSource;
  deprecatedFirstTimestamp: Time | null;
  deprecatedLastTimestamp: Time | null;
  deprecatedCount?: number;
};

/** A list of objects of kind Event. */
export type EventList = {
  [typed]?: 'events.v1.EventList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: Event[] | null;
};

/** An event that repeats. */
export type EventSeries = {
  [typed]?: 'events.v1.EventSeries';
  count: number;
  lastObservedTime: MicroTime | null;
};
