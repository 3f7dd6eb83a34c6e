import type { ResourceQuota } from '#lib/api/types/core.v1.ts';
import {
  asObject,
  mask,
  sameUsage,
  sum,
  type Usage,
  usageOf,
} from '#lib/helpers/component-helpers/resource/resource-list.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import type { Evaluator } from '#lib/server/policy/resource-quota/evaluator.ts';
import { endOfGrace } from '#lib/server/policy/resource-quota/evaluators/pods.ts';
import { evaluatorOf } from '#lib/server/policy/resource-quota/evaluators.ts';
import { scopesOf } from '#lib/server/policy/resource-quota/scopes.ts';

/** Evaluators of resources that quotas also limit under names other than `count/RESOURCE`. */
const NAMED = [
  evaluatorOf('', 'pods'),
  evaluatorOf('', 'services'),
  evaluatorOf('', 'persistentvolumeclaims'),
  evaluatorOf('resource.k8s.io', 'resourceclaims'),
  ...['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'].map((name) => evaluatorOf('', name)),
].filter((one) => one !== undefined);

/** Resources whose objects may count differently after an update. */
export const CHANGING: readonly string[] = ['pods', 'services', 'persistentvolumeclaims', 'resourceclaims'];

/** The limits of a quota's spec. */
export const hardOf = ({ spec }: ResourceQuota): Usage => usageOf(spec.hard);

/** The evaluators that count resources with these names. */
export function evaluatorsFor(names: readonly string[]): Evaluator[] {
  const found = new Map<string, Evaluator>();
  const add = (one: Evaluator): void => void found.set(`${one.group}/${one.resource}`, one);
  for (const name of names) {
    const [, resource = '', group = ''] = /^count\/([^.]+)(?:\.(.+))?$/.exec(name) ?? [];
    const counting = resource === '' ? undefined : evaluatorOf(group, resource);
    if (counting !== undefined) add(counting);
    for (const one of NAMED) if (one.counts(name)) add(one);
  }
  return [...found.values()];
}

/** The objects of one evaluator in a namespace. */
export interface Listed {
  readonly evaluator: Evaluator;
  readonly objects: readonly JsonObject[];
}

/** The usage of a quota by its objects. Resources that were not listed are absent. */
export function usedOfQuota(quota: ResourceQuota, listed: readonly Listed[], now: number): Usage {
  const scopes = scopesOf(quota);
  const names = [...hardOf(quota).keys()];
  return listed.reduce<Usage>((total, { evaluator, objects }) => {
    const counted = names.filter((name) => evaluator.counts(name));
    if (counted.length === 0) return total;
    const zero = new Map(counted.map((name) => [name, '0']));
    const matching = objects.filter((object) => scopes.every((scope) => evaluator.inScope(object, scope)));
    const used = matching.reduce<Usage>((all, object) => sum(all, evaluator.usage(object, now)), zero);
    return sum(total, mask(used, counted));
  }, new Map());
}

/** The time at which the next deleted pod ceases to count, in ms since 1970. Undefined if there is none. */
export function nextEndOfGrace(listed: readonly Listed[], now: number): number | undefined {
  const pods = listed.filter(({ evaluator }) => evaluator.resource === 'pods').flatMap(({ objects }) => objects);
  const ends = pods.flatMap((pod) => endOfGrace(pod) ?? []).filter((end) => end >= now);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** The uids of all listed objects. */
export const uidsOf = (listed: readonly Listed[]): ReadonlySet<string> =>
  new Set(listed.flatMap(({ objects }) => objects.map(uidOf)));

/** The quota with this status. Undefined if it is up to date. */
export function withStatus(quota: ResourceQuota, hard: Usage, used: Usage): ResourceQuota | undefined {
  const { status } = quota;
  const shown = mask(used, hard.keys());
  const same = sameUsage(usageOf(status.hard), hard) && sameUsage(usageOf(status.used), shown);
  if (same && status.hard !== undefined) return undefined;
  return { ...quota, status: { hard: asObject(hard), used: asObject(shown) } };
}

/** Whether a quota's status lacks resources that its spec limits. */
export function isUncounted(quota: ResourceQuota): boolean {
  const { status } = quota;
  const used = usageOf(status.used);
  const uncounted = [...hardOf(quota).keys()].some((name) => !used.has(name) && evaluatorsFor([name]).length > 0);
  return uncounted || !sameUsage(usageOf(status.hard), hardOf(quota));
}

/** The names of resources that each quota of a namespace limits. They determine which changes concern it. */
export class LimitedNames {
  readonly #byNamespace = new Map<string, Map<string, readonly string[]>>();

  set(namespace: string, quota: ResourceQuota): void {
    const known = this.#byNamespace.get(namespace) ?? new Map<string, readonly string[]>();
    this.#byNamespace.set(namespace, known.set(nameOf(quota), [...hardOf(quota).keys()]));
  }

  delete(namespace: string, name: string): void {
    const known = this.#byNamespace.get(namespace);
    known?.delete(name);
    if (known?.size === 0) this.#byNamespace.delete(namespace);
  }

  counts(namespace: string, group: string, resource: string): boolean {
    const known = this.#byNamespace.get(namespace);
    const evaluator = known === undefined ? undefined : evaluatorOf(group, resource);
    if (known === undefined || evaluator === undefined) return false;
    return [...known.values()].some((names) => names.some((name) => evaluator.counts(name)));
  }
}
