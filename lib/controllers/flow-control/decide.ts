import { AUTO_UPDATE, type BootstrapObject } from '#lib/flowcontrol/bootstrap/default.ts';
import { equal, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, generationOf, metadataOf } from '#lib/machinery/meta.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** What the annotation says; undefined where it says nothing that Go's ParseBool knows. */
function annotated(object: JsonObject): boolean | undefined {
  const value = annotationsOf(object)[AUTO_UPDATE] ?? '';
  return TRUE.has(value) ? true : FALSE.has(value) ? false : undefined;
}

/**
 * The object as it should be, or undefined where it is: upstream's ensurer. The server keeps the spec of a mandatory object,
 * and of a suggested one unless an operator has taken it over; the annotation says which.
 */
export function revised(current: JsonObject, { spec, mandatory }: BootstrapObject): JsonObject | undefined {
  const keeps = mandatory || (annotated(current) ?? generationOf(current) === 1);
  const differs = keeps && !equal(current['spec'], spec);
  if (!differs && annotated(current) === keeps) return undefined;
  const annotations = { ...objectAt(metadataOf(current), 'annotations'), [AUTO_UPDATE]: String(keeps) };
  return {
    ...current,
    metadata: { ...metadataOf(current), annotations },
    ...(differs ? { spec } : {}),
  };
}

/** Whether the server made it once, and does no more. */
export const isStray = (object: JsonObject): boolean => annotated(object) === true;

/** The name of the priority level of a flow schema. */
export const levelOf = (schema: JsonObject): string =>
  text(objectAt(objectAt(schema, 'spec'), 'priorityLevelConfiguration'), 'name');

/** The conditions of the flow schema, where what it says of its priority level is not so; else undefined. */
export function conditionsOf(schema: JsonObject, exists: boolean, now: number): JsonObject[] | undefined {
  const conditions = items(objectAt(schema, 'status'), 'conditions');
  const wanted = dangling(levelOf(schema), exists);
  const known = conditions.find(({ type }) => type === wanted['type']);
  if (known !== undefined && Object.keys(wanted).every((field) => equal(known[field], wanted[field]))) return undefined;
  const lastTransitionTime = timeText(instantOf(new Date(now)));
  return [...conditions.filter((one) => one !== known), { ...wanted, lastTransitionTime }];
}

function dangling(level: string, exists: boolean): JsonObject {
  const message = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} `;
  return exists
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${message}and it exists` }
    : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${message}but there is no such object` };
}
