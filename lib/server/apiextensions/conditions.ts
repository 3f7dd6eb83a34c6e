import { parseProps } from '#lib/api/schema/json-schema-props.ts';
import { unsupportedField } from '#lib/api/schema/structural.ts';
import { validateStructural } from '#lib/api/schema/structural-validation.ts';
import { typedObject } from '#lib/api/typed.ts';
import {
  type CustomResourceDefinition,
  type CustomResourceDefinitionCondition,
} from '#lib/api/types/apiextensions.v1.ts';
import { CUSTOM_RESOURCE_DEFINITIONS } from '#lib/api/types/resources.ts';
import { findCondition, isConditionTrue, replaceCondition, withoutCondition } from '#lib/machinery/conditions.ts';
import { type JsonObject, setField } from '#lib/machinery/json-value.ts';
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

/** A condition to set. Its lastTransitionTime changes with its status. */
export interface Condition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

const typed = (crd: JsonObject): CustomResourceDefinition => typedObject(CUSTOM_RESOURCE_DEFINITIONS, crd);
const conditionsOf = (crd: JsonObject): CustomResourceDefinitionCondition[] => typed(crd).status?.conditions ?? [];

/** The condition of a type. Undefined if the definition has none. */
export const conditionOf = (crd: JsonObject, type: ConditionType): CustomResourceDefinitionCondition | undefined =>
  findCondition(conditionsOf(crd), type);

/** Whether the condition is True. */
export const conditionTrue = (crd: JsonObject, type: ConditionType): boolean =>
  isConditionTrue(conditionsOf(crd), type);

/** Whether the object already has that condition, ignoring times. */
export function hasCondition(crd: JsonObject, { type, status, reason, message }: Condition): boolean {
  const existing = conditionOf(crd, type);
  return existing?.status === status && (existing.reason ?? '') === reason && (existing.message ?? '') === message;
}

/** Sets a condition, like upstream's `SetCRDCondition`. The transition time changes only with the status. */
export function setCondition(crd: JsonObject, { type, status, reason, message }: Condition, now: Date): void {
  const existing = conditionOf(crd, type);
  const since = existing?.status === status ? existing.lastTransitionTime : undefined;
  const condition = { lastTransitionTime: since || timeOf(now), message, reason, status, type };
  setConditions(crd, replaceCondition(conditionsOf(crd), { ...existing, ...condition }));
}

/** Removes the condition of a type. */
export const removeCondition = (crd: JsonObject, type: ConditionType): void =>
  setConditions(crd, [...withoutCondition(conditionsOf(crd), type)]);

function setConditions(crd: JsonObject, conditions: CustomResourceDefinitionCondition[]): void {
  const { status } = typed(crd);
  if (status === undefined) setField(crd, 'status', { conditions });
  else status.conditions = conditions;
}

/** Returns the NonStructuralSchema condition that the definition should have. Undefined if its schemas are structural. */
export function nonStructuralCondition(crd: JsonObject): Condition | undefined {
  const type = 'NonStructuralSchema';
  const { spec } = typed(crd);
  const path = FieldPath.of('spec');
  const errors: FieldError[] = [];
  if (spec.preserveUnknownFields === true) {
    errors.push(invalid(path.child('preserveUnknownFields'), true, 'must be false'));
  }
  for (const [i, { name, schema }] of (spec.versions ?? []).entries()) {
    const props = parseProps(schema?.openAPIV3Schema ?? { type: 'object' });
    const problem = unsupportedField(props);
    if (problem !== undefined) {
      const message = `failed to check validation schema for version ${name}: ${problem}`;
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

/** Returns the KubernetesAPIApprovalPolicyConformant condition. Undefined for groups that need no approval. */
export function approvalCondition(crd: JsonObject): Condition | undefined {
  if (!isProtectedCommunityGroup(typed(crd).spec.group)) return undefined;
  const { state, reason } = approvalState(crd);
  const [status, name] = APPROVALS[state];
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason: name, message: reason };
}
