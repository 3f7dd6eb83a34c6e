import { type JsonObject, ownField } from '#lib/machinery/json-value.ts';

/** The fields with different names in core/v1 and events.k8s.io/v1. */
const NAMES: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

const TO_EVENTS = new Map(NAMES);
const TO_CORE = new Map(NAMES.map(([core, events]) => [events, core]));

/** Renames the fields of a core/v1 Event to those of events.k8s.io/v1. */
export const eventFromCore = (event: JsonObject): JsonObject => rename(event, TO_EVENTS);

/** Renames the fields of an events.k8s.io/v1 Event to those of core/v1. */
export const eventToCore = (event: JsonObject): JsonObject => rename(event, TO_CORE);

function rename(event: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const renamed: JsonObject = {};
  for (const field of Object.keys(event)) renamed[names.get(field) ?? field] = ownField(event, field) ?? null;
  return renamed;
}
