import { quote } from '#lib/machinery/go.ts';
import { equal, objectAt, setField, stringAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import {
  approvalCondition,
  conditionTrue,
  findCondition,
  hasCondition,
  nonStructuralCondition,
  removeCondition,
  setCondition,
  type Condition,
} from './conditions.ts';
import { parseNames, type Names } from './definition.ts';

const requestedNames = (crd: JsonObject): Names => parseNames(objectAt(objectAt(crd, 'spec'), 'names'));
const acceptedNames = (crd: JsonObject): Names => parseNames(objectAt(objectAt(crd, 'status'), 'acceptedNames'));
const groupOf = (crd: JsonObject): string => stringAt(objectAt(crd, 'spec'), 'group') ?? '';
const nameOf = (crd: JsonObject): string => stringAt(objectAt(crd, 'metadata'), 'name') ?? '';

/** Names that definitions of a group hold: of resources, and of kinds. */
interface Used {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** As upstream, the definition's own names count as used: what it holds already is compared before. */
function usedNames(group: string, all: readonly JsonObject[]): Used {
  const names = all.filter((crd) => groupOf(crd) === group).map(acceptedNames);
  return {
    resources: new Set(names.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames])),
    kinds: new Set(names.flatMap(({ kind, listKind }) => [kind, listKind])),
  };
}

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

/** Upstream's `calculateNamesAndConditions`: every name that is free or ours is taken; the last conflict is reported. */
function decideNames(crd: JsonObject, used: Used): Decision {
  const requested = requestedNames(crd);
  const accepted = acceptedNames(crd);
  let names: Names = { ...accepted, categories: requested.categories };
  let condition: Condition = {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  for (const [field, set, reason] of CHECKS) {
    const taken = conflicts([requested[field]].flat(), [accepted[field]].flat(), used[set]);
    if (taken.length === 0) names = { ...names, [field]: requested[field] };
    else condition = { type: 'NamesAccepted', status: 'False', reason, message: inUse(taken) };
  }
  return { names, condition };
}

const conflicts = (requested: readonly string[], accepted: readonly string[], used: ReadonlySet<string>): string[] =>
  requested.filter((name) => !accepted.includes(name) && used.has(name));

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
 * What the status of a definition should be beside all others: accepted names, and the conditions NamesAccepted,
 * Established, NonStructuralSchema and KubernetesAPIApprovalPolicyConformant. The new object, or undefined where nothing
 * changes. A definition once established stays so. Others of its group must be decided again when it frees a name.
 */
export function decideDefinition(crd: JsonObject, all: readonly JsonObject[], now: Date): JsonObject | undefined {
  const others = all.filter((other) => nameOf(other) !== nameOf(crd));
  const next = structuredCopy(crd);
  const { names, condition } = decideNames(crd, usedNames(groupOf(crd), [...others, crd]));
  setNames(next, names);
  set(next, condition, now);
  establish(next, condition, now);
  const nonStructural = nonStructuralCondition(crd);
  if (nonStructural !== undefined) set(next, nonStructural, now);
  else if (findCondition(next, 'NonStructuralSchema') !== undefined) removeCondition(next, 'NonStructuralSchema');
  const approval = approvalCondition(crd);
  if (approval !== undefined) set(next, approval, now);
  return equal(next, crd) ? undefined : next;
}

function establish(crd: JsonObject, names: Condition, now: Date): void {
  if (conditionTrue(crd, 'Established')) return;
  if (names.status === 'True') set(crd, ESTABLISHED, now);
  else if (findCondition(crd, 'Established') === undefined) set(crd, NOT_ACCEPTED, now);
}

function set(crd: JsonObject, condition: Condition, now: Date): void {
  if (!hasCondition(crd, condition)) setCondition(crd, condition, now);
}

/** Only what an update may change is copied. */
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
