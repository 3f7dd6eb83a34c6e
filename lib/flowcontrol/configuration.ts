import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { at, count, flag, has, integer, items, text, texts } from '#lib/machinery/unstructured.ts';
import { BOOTSTRAP_LEVELS, BOOTSTRAP_SCHEMAS, type BootstrapObject } from './bootstrap/default.ts';

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly namespaces: readonly string[];
  readonly clusterScope: boolean;
}

export interface UrlRule {
  readonly verbs: readonly string[];
  readonly urls: readonly string[];
}

export interface SchemaRule {
  readonly subjects: readonly Subject[];
  readonly resources: readonly ResourceRule[];
  readonly urls: readonly UrlRule[];
}

/** A FlowSchema as requests are matched with it. */
export interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly precedence: number;
  readonly level: string;
  /** `ByUser`, `ByNamespace`, or empty: all of its requests are one flow. */
  readonly distinguisher: string;
  readonly rules: readonly SchemaRule[];
}

/** How requests wait. Without queues they do not: 0 refuses them, -1 lets them pass. */
export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly lengthLimit: number;
}

/** A PriorityLevelConfiguration. Percentages are of its nominal limit. */
export interface PriorityLevel {
  readonly name: string;
  readonly uid: string;
  readonly exempt: boolean;
  readonly shares: number;
  readonly lendable: number;
  /** Undefined: as much as there is. */
  readonly borrowing: number | undefined;
  readonly queuing: Queuing;
}

/** What requests are judged by, at one moment. Schemas are in the order in which they are tried, each with a level. */
export interface Configuration {
  readonly schemas: readonly FlowSchema[];
  readonly levels: readonly PriorityLevel[];
}

const REFUSE: Queuing = { queues: 0, handSize: 0, lengthLimit: 0 };
const PASS: Queuing = { queues: -1, handSize: 0, lengthLimit: 0 };

/** The configuration of these objects: mandatory ones that lack are as if they were there, schemas without a level are not. */
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

function withMandatory<T extends { readonly name: string }>(
  given: readonly T[],
  bootstrap: readonly BootstrapObject[],
  parse: (object: JsonObject) => T,
): T[] {
  const lacking = bootstrap.filter(({ name, mandatory }) => mandatory && given.every((one) => one.name !== name));
  return [...given, ...lacking.map(({ name, spec }) => parse({ metadata: { name }, spec }))];
}

export function schemaOf(object: JsonObject): FlowSchema {
  const spec = objectAt(object, 'spec');
  return {
    name: nameOf(object),
    uid: uidOf(object),
    precedence: Number(count(spec, 'matchingPrecedence')),
    level: text(at(spec, 'priorityLevelConfiguration'), 'name'),
    distinguisher: text(at(spec, 'distinguisherMethod'), 'type'),
    rules: items(spec, 'rules').map(ruleOf),
  };
}

function ruleOf(rule: JsonObject): SchemaRule {
  return {
    subjects: items(rule, 'subjects').map(subjectOf),
    resources: items(rule, 'resourceRules').map((one) => ({
      verbs: texts(one, 'verbs'),
      groups: texts(one, 'apiGroups'),
      resources: texts(one, 'resources'),
      namespaces: texts(one, 'namespaces'),
      clusterScope: flag(one, 'clusterScope') === true,
    })),
    urls: items(rule, 'nonResourceRules').map((one) => ({
      verbs: texts(one, 'verbs'),
      urls: texts(one, 'nonResourceURLs'),
    })),
  };
}

function subjectOf(subject: JsonObject): Subject {
  const kind = text(subject, 'kind');
  const field = { User: 'user', Group: 'group', ServiceAccount: 'serviceAccount' }[kind];
  const described = field === undefined ? undefined : objectAt(subject, field);
  return {
    kind: described === undefined ? '' : kind,
    name: text(described, 'name'),
    namespace: text(described, 'namespace'),
  };
}

export function levelOf(object: JsonObject): PriorityLevel {
  const spec = objectAt(object, 'spec');
  const exempt = text(spec, 'type') === 'Exempt';
  const limits = objectAt(spec, exempt ? 'exempt' : 'limited');
  const borrowing = integer(limits, 'borrowingLimitPercent');
  return {
    name: nameOf(object),
    uid: uidOf(object),
    exempt,
    shares: Number(count(limits, 'nominalConcurrencyShares')),
    lendable: Number(count(limits, 'lendablePercent')),
    borrowing: borrowing === undefined ? undefined : Number(borrowing),
    queuing: exempt ? PASS : queuingOf(objectAt(limits, 'limitResponse')),
  };
}

function queuingOf(response: JsonObject | undefined): Queuing {
  const queuing = objectAt(response, 'queuing');
  if (!has(response, 'queuing')) return REFUSE;
  return {
    queues: Number(count(queuing, 'queues')),
    handSize: Number(count(queuing, 'handSize')),
    lengthLimit: Number(count(queuing, 'queueLengthLimit')),
  };
}
