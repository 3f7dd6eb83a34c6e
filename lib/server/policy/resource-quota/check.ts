import type { ResourceQuota } from '#lib/api/types/core.v1.ts';
import {
  exceeding,
  increase,
  mask,
  sum,
  type Usage,
  usageText,
  withoutZeros,
} from '#lib/helpers/component-helpers/resource/resource-list.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import { signOf } from '#lib/machinery/resource/quantities.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import type { Evaluator, Write } from './evaluator.ts';
import { type ScopeRequirement, scopesOf } from './scopes.ts';

/** Resources that are rejected unless a quota covers them: upstream's LimitedResource. */
export interface LimitedResource {
  readonly apiGroup: string;
  readonly resource: string;
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopeRequirement[];
}

/** A write, with the quotas and limits of its namespace. */
export interface Question {
  readonly evaluator: Evaluator;
  readonly write: Write;
  readonly quotas: readonly ResourceQuota[];
  readonly limited: readonly LimitedResource[];
  /** The time in ms since 1970. */
  readonly now: number;
}

/** A quota that counts the object, and the increase of its usage by the write. */
export interface Charge {
  readonly name: string;
  readonly hard: Usage;
  /** The resources of the quota for which the object counts. */
  readonly counted: readonly string[];
  readonly more: Usage;
}

/** Why a write is rejected. `isForbidden` is false if upstream returns a bare error. */
export class QuotaRefusal extends Error {
  readonly isForbidden: boolean;

  constructor(message: string, isForbidden = true) {
    super(message);
    this.name = 'QuotaRefusal';
    this.isForbidden = isForbidden;
  }
}

const hardOf = ({ status }: ResourceQuota): Usage => new Map(sortedEntries(status.hard));

const applies = (evaluator: Evaluator, quota: ResourceQuota, object: JsonObject): boolean =>
  [...hardOf(quota).keys()].some((name) => evaluator.counts(name)) &&
  scopesOf(quota).every((scope) => evaluator.inScope(object, scope));

/**
 * Returns the charges of a write. Empty if it increases no usage. Throws QuotaRefusal in two cases: the object lacks a request that a quota
 * limits, or it uses a limited resource that no quota covers.
 */
export function chargesOf({ evaluator, write, quotas, limited, now }: Question): Charge[] {
  const { object, oldObject } = write;
  const concerned = quotas.filter((quota) => applies(evaluator, quota, object));
  for (const quota of concerned) checkConstraint(evaluator, quota, object);
  const usage = evaluator.usage(object, now);
  const negative = [...usage].filter(([, value]) => signOf(value) < 0).map(([name]) => name);
  if (negative.length > 0)
    throw new QuotaRefusal(`quota usage is negative for resource(s): ${negative.sort().join(',')}`);
  const isNew = oldObject === undefined || resourceVersionOf(oldObject) === '';
  const before = isNew ? undefined : evaluator.usage(oldObject, now);
  const grown = before === undefined ? usage : increase(usage, before);
  const charges = concerned.flatMap((quota): Charge[] => {
    const counted = !isNew && applies(evaluator, quota, oldObject);
    const more = withoutZeros(counted ? grown : usage);
    const hard = hardOf(quota);
    const names = [...hard.keys()].filter((name) => evaluator.counts(name));
    return more.size === 0 ? [] : [{ name: nameOf(quota), hard, counted: names, more: mask(more, hard.keys()) }];
  });
  const grows = concerned.length > 0 ? charges.length > 0 : withoutZeros(grown).size > 0;
  if (grows) checkCover({ evaluator, write, quotas, limited, now }, concerned, usage);
  return charges;
}

function checkConstraint(evaluator: Evaluator, quota: ResourceQuota, object: JsonObject): void {
  const names = [...hardOf(quota).keys()].filter((name) => evaluator.counts(name));
  const missing = evaluator.constraint?.(object, names);
  if (missing !== undefined) throw new QuotaRefusal(`failed quota: ${nameOf(quota)}: ${missing}`);
}

function checkCover(
  { evaluator, write, quotas, limited }: Question,
  concerned: readonly ResourceQuota[],
  usage: Usage,
): void {
  const { object } = write;
  const covered = new Set(
    concerned.flatMap((quota) => [...hardOf(quota).keys()].filter((name) => evaluator.counts(name))),
  );
  const parts = limited
    .filter(({ apiGroup, resource }) => apiGroup === evaluator.group && resource === evaluator.resource)
    .flatMap(({ matchContains }) => matchContains);
  const bare = [...usage]
    .filter(([name, value]) => signOf(value) > 0 && parts.some((part) => name.includes(part)) && !covered.has(name))
    .map(([name]) => name);
  if (bare.length > 0) throw new QuotaRefusal(`insufficient quota to consume: ${bare.sort().join(',')}`);
  if (!evaluator.hasScopes) return;
  const inScope = (scope: ScopeRequirement): boolean => evaluator.inScope(object, scope);
  const matched = new Set(
    quotas
      .flatMap(scopesOf)
      .filter(inScope)
      .map(({ scope }) => scope),
  );
  const uncovered = limited
    .flatMap(({ matchScopes }) => matchScopes)
    .filter((scope) => inScope(scope) && !matched.has(scope.scope));
  if (uncovered.length > 0)
    throw new QuotaRefusal(`insufficient quota to match these scopes: [${uncovered.map(shown).join(' ')}]`, false);
}

/** Formats the struct like Go. */
const shown = ({ scope, operator, values }: ScopeRequirement): string => `{${scope} ${operator} [${values.join(' ')}]}`;

/** Throws QuotaRefusal if the used amount plus the charge exceeds the quota, or if the used amount is not known yet. */
export function checkFits({ name, hard, counted, more }: Charge, used: Usage | undefined, isStatus = false): void {
  if (used === undefined || counted.some((resource) => !used.has(resource)))
    throw new QuotaRefusal(`status unknown for quota: ${name}, resources: ${counted.toSorted().join(',')}`);
  const over = isStatus ? [] : exceeding(mask(sum(used, more), more.keys()), hard);
  if (over.length === 0) return;
  const [requested, already, limit] = [more, used, hard].map((usage) => usageText(mask(usage, over)));
  throw new QuotaRefusal(`exceeded quota: ${name}, requested: ${requested}, used: ${already}, limited: ${limit}`);
}
