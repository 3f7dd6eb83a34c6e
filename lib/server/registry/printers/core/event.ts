import { convert } from '#lib/api/conversion/convert.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { Event } from '#lib/api/types/core.v1.ts';
import type { Event as EventAsEventsV1 } from '#lib/api/types/events.v1.ts';
import { EVENTS } from '#lib/api/types/resources.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { since } from '../cells.ts';
import { column, wide } from '../columns.ts';
import { NAME_COLUMN } from '../default.ts';

const CORE = { group: '', version: 'v1', kind: 'Event' };

/** Upstream's printEvent, for events of both groups. */
export const event: TablePrinter<Event | EventAsEventsV1> = {
  columns: [
    column('Last Seen', 'How long ago it was last observed.'),
    column('Type', 'What sort of event it is: Normal or Warning.'),
    column('Reason', 'Why it happened, in a word.'),
    column('Object', 'The object that it is about.'),
    wide('Subobject', 'The part of the object that it is about.'),
    wide('Source', 'The component that reports it, and where that runs.'),
    column('Message', 'What happened, for people to read.'),
    wide('First Seen', 'How long ago it was first observed.'),
    wide('Count', 'How often it was observed.'),
    { ...NAME_COLUMN, priority: 1 },
  ],
  cells: (object, now) =>
    coreCells(typedObject(EVENTS, object.apiVersion === 'v1' ? object : convert(object, CORE)), now),
};

function coreCells(object: Event, now: Date): Json[] {
  const { kind = '', name = '', fieldPath = '' } = object.involvedObject;
  const firstSeen = since(object.firstTimestamp ?? object.eventTime, now);
  return [
    lastSeen(object, firstSeen, now),
    object.type ?? '',
    object.reason ?? '',
    kind.toLowerCase() + (name === '' ? '' : `/${name}`),
    fieldPath,
    sourceText(object),
    (object.message ?? '').trim(),
    firstSeen,
    timesSeen(object),
    nameOf(object),
  ];
}

function lastSeen({ series, lastTimestamp }: Event, firstSeen: string, now: Date): string {
  if (series !== undefined) return since(series.lastObservedTime, now);
  return lastTimestamp === null ? firstSeen : since(lastTimestamp, now);
}

/** An event without a series or a count counts as one. */
const timesSeen = ({ series, count }: Event): number => (series === undefined ? count || 1 : (series.count ?? 0));

function sourceText({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source.component || reportingComponent;
  const instance = source.host || reportingInstance;
  return instance === '' ? component : `${component}, ${instance}`;
}
