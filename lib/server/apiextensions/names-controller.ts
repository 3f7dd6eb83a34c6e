import { typedObject } from '#lib/api/typed.ts';
import { CUSTOM_RESOURCE_DEFINITIONS } from '#lib/api/types/resources.ts';
import { quote } from '#lib/machinery/go.ts';
import { equal, type Json, type JsonObject, objectAt, setField } from '#lib/machinery/json-value.ts';
import {
  approvalCondition,
  type Condition,
  conditionOf,
  conditionTrue,
  hasCondition,
  nonStructuralCondition,
  removeCondition,
  setCondition,
} from './conditions.ts';
import { type Names, parseNames } from './definition.ts';
import { isCABundle } from './validation/ca-bundle.ts';

const requestedNames = (crd: JsonObject): Names =>
  parseNames(typedObject(CUSTOM_RESOURCE_DEFINITIONS, crd).spec?.names);
const acceptedNames = (crd: JsonObject): Names =>
  parseNames(typedObject(CUSTOM_RESOURCE_DEFINITIONS, crd).status?.acceptedNames);

/** The namespaces of names: resources (plural, singular, short names) and kinds (of objects and lists). */
export type NameSet = 'resources' | 'kinds';
/** Whether another definition of the group holds a name. */
export type IsTaken = (set: NameSet, name: string) => boolean;

/** Returns the accepted names of a definition by set, without duplicates. */
export function namesHeld(crd: JsonObject): Readonly<Record<NameSet, readonly string[]>> {
  return bySet(acceptedNames(crd));
}

/** Returns the requested names of a definition by set, without duplicates. */
export function namesAskedFor(crd: JsonObject): Readonly<Record<NameSet, readonly string[]>> {
  return bySet(requestedNames(crd));
}

const bySet = ({ plural, singular, shortNames, kind, listKind }: Names) => ({
  resources: distinct([plural, singular, ...shortNames]),
  kinds: distinct([kind, listKind]),
});

const distinct = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => name !== '');

interface Decision {
  readonly names: Names;
  readonly condition: Condition;
}

const CHECKS = [
  ['plural', 'resources', 'PluralConflict'],
  ['singular', 'resources', 'SingularConflict'],
  ['shortNames', 'resources', 'ShortNamesConflict'],
  ['kind', 'kinds', 'KindConflict'],
  ['listKind', 'kinds', 'ListKindConflict'],
] as const;

/** Upstream's `calculateNamesAndConditions`: accepts every name that is free or already held, and reports the last conflict. */
function decideNames(crd: JsonObject, isTaken: IsTaken): Decision {
  const requested = requestedNames(crd);
  const accepted = acceptedNames(crd);
  const own = namesHeld(crd);
  // Like upstream, the definition's own names count as used. The current value of a field is compared first.
  const isUsed: IsTaken = (scope, name) => own[scope].includes(name) || isTaken(scope, name);
  let names: Names = { ...accepted, categories: requested.categories };
  let condition: Condition = {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  for (const [field, scope, reason] of CHECKS) {
    const taken = conflicts([requested[field]].flat(), [accepted[field]].flat(), (name) => isUsed(scope, name));
    if (taken.length === 0) names = { ...names, [field]: requested[field] };
    else condition = { type: 'NamesAccepted', status: 'False', reason, message: inUse(taken) };
  }
  return { names, condition };
}

const conflicts = (
  requested: readonly string[],
  accepted: readonly string[],
  isUsed: (name: string) => boolean,
): string[] => requested.filter((name) => !accepted.includes(name) && isUsed(name));

function inUse(names: readonly string[]): string {
  const texts = [...new Set(names.map((name) => `${quote(name)} is already in use`))];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}

const NOT_ACCEPTED: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};
const ESTABLISHED: Condition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

/**
 * Computes the status of a definition, given the other definitions of its group: accepted names, and the conditions NamesAccepted,
 * Established, NonStructuralSchema and KubernetesAPIApprovalPolicyConformant. Returns the new object, or undefined if nothing changes. An
 * established definition stays established. When it frees a name, the other definitions of its group must be reconciled again.
 */
export function decideDefinition(crd: JsonObject, isTaken: IsTaken, now: Date): JsonObject | undefined {
  const next = structuredCopy(crd);
  const { names, condition } = decideNames(crd, isTaken);
  setNames(next, names);
  set(next, condition, now);
  establish(next, condition, now);
  judgeStructure(next, now);
  const approval = approvalCondition(crd);
  if (approval !== undefined) set(next, approval, now);
  return equal(next, crd) ? undefined : next;
}

/** A definition is structural on creation, and updates preserve that. Only a definition that was not structural before may remain so. */
function judgeStructure(crd: JsonObject, now: Date): void {
  if (conditionOf(crd, 'NonStructuralSchema') === undefined) return;
  const condition = nonStructuralCondition(crd);
  if (condition !== undefined) set(crd, condition, now);
  else removeCondition(crd, 'NonStructuralSchema');
}

/** A webhook with an invalid CA bundle cannot convert, so the definition waits for a valid one. */
const INVALID_CA_BUNDLE: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};

function hasInvalidCABundle(crd: JsonObject): boolean {
  const { spec } = typedObject(CUSTOM_RESOURCE_DEFINITIONS, crd);
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle ?? '';
  return bundle !== '' && !isCABundle(bundle);
}

function establish(crd: JsonObject, names: Condition, now: Date): void {
  if (conditionTrue(crd, 'Established')) return;
  if (names.status === 'True') set(crd, hasInvalidCABundle(crd) ? INVALID_CA_BUNDLE : ESTABLISHED, now);
  else if (conditionOf(crd, 'Established') === undefined) set(crd, NOT_ACCEPTED, now);
}

function set(crd: JsonObject, condition: Condition, now: Date): void {
  if (!hasCondition(crd, condition)) setCondition(crd, condition, now);
}

/** Copies only the parts that an update may change. */
function structuredCopy(crd: JsonObject): JsonObject {
  const status = objectAt(crd, 'status') ?? {};
  const { conditions } = status;
  const copied = Array.isArray(conditions) ? conditions.map((item) => ({ ...(item as JsonObject) })) : [];
  return { ...crd, status: { ...status, conditions: copied } };
}

function setNames(crd: JsonObject, names: Names): void {
  const shown: JsonObject = { kind: names.kind, plural: names.plural };
  for (const field of ['listKind', 'singular'] as const) if (names[field] !== '') shown[field] = names[field];
  for (const field of ['shortNames', 'categories'] as const) {
    if (names[field].length > 0) shown[field] = [...names[field]] as Json[];
  }
  setField(objectAt(crd, 'status') ?? {}, 'acceptedNames', shown);
}
