import { convert } from '#lib/api/conversion/convert.ts';
import { objectAt, stringAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { count, has, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { since } from '../cells.ts';
import { column, wide } from '../columns.ts';
import { NAME_COLUMN } from '../default.ts';

const CORE = { group: '', version: 'v1', kind: 'Event' };

/** Upstream's printEvent, of an event of either group. */
export const event: TablePrinter = {
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
  cells: (object, now) => coreCells(stringAt(object, 'apiVersion') === 'v1' ? object : convert(object, CORE), now),
};

function coreCells(object: JsonObject, now: Date): Json[] {
  const involved = objectAt(object, 'involvedObject');
  const firstSeen = since(object, has(object, 'firstTimestamp') ? 'firstTimestamp' : 'eventTime', now);
  return [
    lastSeen(object, firstSeen, now),
    text(object, 'type'),
    text(object, 'reason'),
    [text(involved, 'kind').toLowerCase(), text(involved, 'name')]
      .filter((part, i) => i === 0 || part !== '')
      .join('/'),
    text(involved, 'fieldPath'),
    sourceText(object),
    text(object, 'message').trim(),
    firstSeen,
    timesSeen(object),
    nameOf(object),
  ];
}

function lastSeen(object: JsonObject, firstSeen: string, now: Date): string {
  const series = objectAt(object, 'series');
  if (series !== undefined) return since(series, 'lastObservedTime', now);
  return has(object, 'lastTimestamp') ? since(object, 'lastTimestamp', now) : firstSeen;
}

/** An event that is no series counts as one. */
function timesSeen(object: JsonObject): Json {
  const series = objectAt(object, 'series');
  return series === undefined ? count(object, 'count') || 1 : count(series, 'count');
}

function sourceText(object: JsonObject): string {
  const source = objectAt(object, 'source');
  const component = text(source, 'component') || text(object, 'reportingComponent');
  const instance = text(source, 'host') || text(object, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}
