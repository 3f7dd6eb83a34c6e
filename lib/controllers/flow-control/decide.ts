import type { FlowSchema, FlowSchemaCondition } from '#lib/api/types/flowcontrol.v1.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, generationOf, metadataOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { AUTO_UPDATE, type BootstrapObject } from '#lib/server/flowcontrol/bootstrap/default.ts';

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

const DANGLING = 'Dangling';

/** The value of the annotation. Undefined if Go's ParseBool rejects the text. */
function annotated(object: JsonObject): boolean | undefined {
  const value = annotationsOf(object)[AUTO_UPDATE] ?? '';
  return TRUE.has(value) ? true : FALSE.has(value) ? false : undefined;
}

/**
 * The object in its wanted state. Undefined if it is up to date: upstream's ensurer. The server maintains the spec of a mandatory object.
 * It maintains that of a suggested object unless an operator has taken it over, which the annotation records.
 */
export function revised(current: JsonObject, { spec, mandatory }: BootstrapObject): JsonObject | undefined {
  const keeps = mandatory || (annotated(current) ?? generationOf(current) === 1);
  const differs = keeps && !equal(current['spec'], spec);
  if (!differs && annotated(current) === keeps) return undefined;
  const annotations = { ...annotationsOf(current), [AUTO_UPDATE]: String(keeps) };
  return {
    ...current,
    metadata: { ...metadataOf(current), annotations },
    ...(differs ? { spec } : {}),
  };
}

/** Whether the server created the object, although it is not among the objects that it maintains. */
export const isStray = (object: JsonObject): boolean => annotated(object) === true;

/** The name of the priority level of a flow schema. */
export const levelOf = ({ spec }: FlowSchema): string => spec.priorityLevelConfiguration.name;

/** The conditions of the flow schema after updating those about its priority level. Undefined if they do not change. */
export function conditionsOf(schema: FlowSchema, exists: boolean, now: number): FlowSchemaCondition[] | undefined {
  const { conditions = [] } = schema.status;
  const wanted = dangling(levelOf(schema), exists);
  const known = findCondition(conditions, DANGLING);
  const { status, reason, message } = wanted;
  const isSame = known?.status === status && known?.reason === reason && known?.message === message;
  if (known !== undefined && isSame) return undefined;
  const lastTransitionTime = timeOf(now);
  return [...conditions.filter((one) => one !== known), { ...wanted, lastTransitionTime }];
}

function dangling(level: string, exists: boolean): Omit<FlowSchemaCondition, 'lastTransitionTime'> {
  const message = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} `;
  return exists
    ? { type: DANGLING, status: 'False', reason: 'Found', message: `${message}and it exists` }
    : { type: DANGLING, status: 'True', reason: 'NotFound', message: `${message}but there is no such object` };
}
