import { parseProps } from '#lib/api/schema/json-schema-props.ts';
import { unsupportedField } from '#lib/api/schema/structural.ts';
import { validateStructural } from '#lib/api/schema/structural-validation.ts';
import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  setField,
  stringAt,
} from '#lib/machinery/json-value.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { aggregate, type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { type Approval, approvalState, isProtectedCommunityGroup } from './approval.ts';

/** The types of conditions of a CustomResourceDefinition. */
export type ConditionType =
  | 'Established'
  | 'NamesAccepted'
  | 'NonStructuralSchema'
  | 'Terminating'
  | 'KubernetesAPIApprovalPolicyConformant';

/** A condition to set; its lastTransitionTime changes with its status. */
export interface Condition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

const conditionsOf = (crd: JsonObject): JsonObject[] => arrayAt(objectAt(crd, 'status'), 'conditions').filter(isObject);

/** The condition of a type; undefined if the definition has none. */
export function findCondition(crd: JsonObject, type: ConditionType): JsonObject | undefined {
  return conditionsOf(crd).find((condition) => stringAt(condition, 'type') === type);
}

/** Whether the condition is True. */
export const conditionTrue = (crd: JsonObject, type: ConditionType): boolean =>
  stringAt(findCondition(crd, type), 'status') === 'True';

/** Whether the object already has that condition, ignoring times. */
export function hasCondition(crd: JsonObject, { type, status, reason, message }: Condition): boolean {
  const existing = findCondition(crd, type);
  const text = (field: string): string => stringAt(existing, field) ?? '';
  return text('status') === status && text('reason') === reason && text('message') === message;
}

/** Sets a condition in place, like upstream's `SetCRDCondition`. The transition time changes only with the status. */
export function setCondition(crd: JsonObject, { type, status, reason, message }: Condition, now: Date): void {
  const existing = findCondition(crd, type);
  const changed = stringAt(existing, 'status') !== status || (stringAt(existing, 'lastTransitionTime') ?? '') === '';
  const time = changed ? timeOf(now) : (stringAt(existing, 'lastTransitionTime') as string);
  const condition = { lastTransitionTime: time, message, reason, status, type };
  if (existing === undefined) setConditions(crd, [...conditionsOf(crd), condition]);
  else Object.assign(existing, condition);
}

/** Removes the condition of a type, in place. */
export function removeCondition(crd: JsonObject, type: ConditionType): void {
  setConditions(
    crd,
    conditionsOf(crd).filter((condition) => stringAt(condition, 'type') !== type),
  );
}

function setConditions(crd: JsonObject, conditions: Json[]): void {
  const status = objectAt(crd, 'status');
  if (status === undefined) setField(crd, 'status', { conditions });
  else status.conditions = conditions;
}

/** Returns the NonStructuralSchema condition that the definition should have; undefined if its schemas are structural. */
export function nonStructuralCondition(crd: JsonObject): Condition | undefined {
  const type = 'NonStructuralSchema';
  const spec = objectAt(crd, 'spec');
  const path = FieldPath.of('spec');
  const errors: FieldError[] = [];
  if (spec?.preserveUnknownFields === true) {
    errors.push(invalid(path.child('preserveUnknownFields'), true, 'must be false'));
  }
  for (const [i, version] of arrayAt(spec, 'versions').filter(isObject).entries()) {
    const schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
    const props = parseProps(schema ?? { type: 'object' });
    const problem = unsupportedField(props);
    if (problem !== undefined) {
      const message = `failed to check validation schema for version ${stringAt(version, 'name') ?? ''}: ${problem}`;
      return { type, status: 'Unknown', reason: 'StructuralError', message };
    }
    errors.push(...validateStructural(path.child('versions').index(i).child('schema', 'openAPIV3Schema'), props));
  }
  return errors.length === 0 ? undefined : { type, status: 'True', reason: 'Violations', message: aggregate(errors) };
}

const APPROVALS: Readonly<Record<Approval['state'], readonly ['True' | 'False', string]>> = {
  Invalid: ['False', 'InvalidAnnotation'],
  Missing: ['False', 'MissingAnnotation'],
  Approved: ['True', 'ApprovedAnnotation'],
  Bypassed: ['False', 'UnapprovedAnnotation'],
};

/** Returns the KubernetesAPIApprovalPolicyConformant condition; undefined for groups that need no approval. */
export function approvalCondition(crd: JsonObject): Condition | undefined {
  if (!isProtectedCommunityGroup(stringAt(objectAt(crd, 'spec'), 'group') ?? '')) return undefined;
  const { state, reason } = approvalState(crd);
  const [status, name] = APPROVALS[state];
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason: name, message: reason };
}
