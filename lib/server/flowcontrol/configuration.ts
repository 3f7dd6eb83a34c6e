import type {
  FlowSchema as FlowSchemaObject,
  LimitResponse,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
  Subject as SubjectObject,
} from '#lib/api/types/flowcontrol.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { BOOTSTRAP_LEVELS, BOOTSTRAP_SCHEMAS, type BootstrapObject } from './bootstrap/default.ts';

/** A user, group or service account in a rule. `*` matches all names. The name is empty for an unknown kind. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** Verbs on resources. Every list must match. A single `*` matches everything. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly namespaces: readonly string[];
  readonly clusterScope: boolean;
}

/** Verbs on URLs. Both lists must match. */
export interface UrlRule {
  readonly verbs: readonly string[];
  readonly urls: readonly string[];
}

/** Matches requests of one of the subjects that also match one of the other rules. */
export interface SchemaRule {
  readonly subjects: readonly Subject[];
  readonly resources: readonly ResourceRule[];
  readonly urls: readonly UrlRule[];
}

/** A FlowSchema in the form that is matched with requests. */
export interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly precedence: number;
  readonly level: string;
  /** `ByUser`, `ByNamespace`, or empty if all its requests are one flow. */
  readonly distinguisher: string;
  readonly rules: readonly SchemaRule[];
}

/** How requests are queued. A negative number of queues admits every request, and 0 rejects requests if no seat is free. */
export interface QueueSettings {
  readonly queues: number;
  readonly handSize: number;
  readonly lengthLimit: number;
}

/** A PriorityLevelConfiguration. Percentages refer to its nominal limit. */
export interface PriorityLevel {
  readonly name: string;
  readonly uid: string;
  readonly exempt: boolean;
  readonly shares: number;
  readonly lendable: number;
  /** Undefined if unlimited. */
  readonly borrowing: number | undefined;
  readonly queuing: QueueSettings;
}

/** A snapshot of schemas and levels. Schemas are in matching order and each has an existing level. */
export interface Configuration {
  readonly schemas: readonly FlowSchema[];
  readonly levels: readonly PriorityLevel[];
}

const REFUSE: QueueSettings = { queues: 0, handSize: 0, lengthLimit: 0 };
const PASS: QueueSettings = { queues: -1, handSize: 0, lengthLimit: 0 };

/** The configuration of these objects. Adds missing mandatory objects and omits schemas without an existing level. */
export function configurationOf(schemas: readonly FlowSchema[], levels: readonly PriorityLevel[]): Configuration {
  const allLevels = withMandatory(levels, BOOTSTRAP_LEVELS, levelOf);
  const names = new Set(allLevels.map(({ name }) => name));
  const usable = schemas.filter(({ level }) => names.has(level));
  const all = withMandatory(usable, BOOTSTRAP_SCHEMAS, schemaOf);
  return {
    levels: allLevels,
    schemas: all.toSorted((a, b) => a.precedence - b.precedence || (a.name < b.name ? -1 : 1)),
  };
}

function withMandatory<T extends { readonly name: string }, S extends JsonObject>(
  given: readonly T[],
  bootstrap: readonly BootstrapObject<S>[],
  parse: (object: { readonly metadata: ObjectMeta; readonly spec: S }) => T,
): T[] {
  const lacking = bootstrap.filter(({ name, mandatory }) => mandatory && given.every((one) => one.name !== name));
  return [...given, ...lacking.map(({ name, spec }) => parse({ metadata: { name }, spec }))];
}

/** Converts a FlowSchema of the API to the form that is matched with requests. */
export function schemaOf({ metadata, spec }: Pick<FlowSchemaObject, 'metadata' | 'spec'>): FlowSchema {
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    precedence: spec.matchingPrecedence,
    level: spec.priorityLevelConfiguration.name,
    distinguisher: spec.distinguisherMethod?.type ?? '',
    rules: (spec.rules ?? []).map(ruleOf),
  };
}

function ruleOf({ subjects, resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects): SchemaRule {
  return {
    subjects: (subjects ?? []).map(subjectOf),
    resources: resourceRules.map(({ verbs, apiGroups, resources, namespaces, clusterScope }) => ({
      verbs: verbs ?? [],
      groups: apiGroups ?? [],
      resources: resources ?? [],
      namespaces: namespaces ?? [],
      clusterScope: clusterScope === true,
    })),
    urls: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({ verbs: verbs ?? [], urls: nonResourceURLs ?? [] })),
  };
}

const NOBODY: Subject = { kind: '', name: '', namespace: '' };

function subjectOf({ kind, user, group, serviceAccount }: SubjectObject): Subject {
  if (kind === 'User' && user !== undefined) return { kind, name: user.name, namespace: '' };
  if (kind === 'Group' && group !== undefined) return { kind, name: group.name, namespace: '' };
  return kind === 'ServiceAccount' && serviceAccount !== undefined
    ? { kind, name: serviceAccount.name, namespace: serviceAccount.namespace }
    : NOBODY;
}

/** Converts a PriorityLevelConfiguration of the API. */
export function levelOf({ metadata, spec }: Pick<PriorityLevelConfiguration, 'metadata' | 'spec'>): PriorityLevel {
  const exempt = spec.type === 'Exempt';
  const limits = exempt ? spec.exempt : spec.limited;
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    exempt,
    shares: limits?.nominalConcurrencyShares ?? 0,
    lendable: limits?.lendablePercent ?? 0,
    borrowing: exempt ? undefined : spec.limited?.borrowingLimitPercent,
    queuing: exempt ? PASS : queuingOf(spec.limited?.limitResponse),
  };
}

function queuingOf(response: LimitResponse | undefined): QueueSettings {
  if (response?.queuing === undefined) return REFUSE;
  const { queues, handSize, queueLengthLimit } = response.queuing;
  return { queues, handSize, lengthLimit: queueLengthLimit };
}
