import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import type { Evaluator } from '#lib/policy/resource-quota/evaluator.ts';
import { evaluatorOf } from '#lib/policy/resource-quota/evaluators.ts';
import { endOfGrace } from '#lib/policy/resource-quota/evaluators/pods.ts';
import { scopesOf } from '#lib/policy/resource-quota/scopes.ts';
import { asObject, mask, sameUsage, sum, usageAt, type Usage } from '#lib/component-helpers/resource/resource-list.ts';

/** Resources whose objects count for names that do not say which. */
const NAMED = [
  evaluatorOf('', 'pods'),
  evaluatorOf('', 'services'),
  evaluatorOf('', 'persistentvolumeclaims'),
  evaluatorOf('resource.k8s.io', 'resourceclaims'),
  ...['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'].map((name) => evaluatorOf('', name)),
].filter((one) => one !== undefined);

/** Resources whose objects may count otherwise behind an update. */
export const CHANGING: readonly string[] = ['pods', 'services', 'persistentvolumeclaims', 'resourceclaims'];

export const hardOf = (quota: JsonObject): Usage => usageAt(objectAt(quota, 'spec'), 'hard');

/** How to count what these names of resources limit. */
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

export interface Listed {
  readonly evaluator: Evaluator;
  readonly objects: readonly JsonObject[];
}

/** What a quota's objects use of it; nothing is said of resources that were not listed. */
export function usedOfQuota(quota: JsonObject, listed: readonly Listed[], now: number): Usage {
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

/** When, in milliseconds, a pod that was deleted ceases to count; undefined where none will. */
export function nextEndOfGrace(listed: readonly Listed[], now: number): number | undefined {
  const pods = listed.filter(({ evaluator }) => evaluator.resource === 'pods').flatMap(({ objects }) => objects);
  const ends = pods.flatMap((pod) => endOfGrace(pod) ?? []).filter((end) => end >= now);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

export const uidsOf = (listed: readonly Listed[]): ReadonlySet<string> =>
  new Set(listed.flatMap(({ objects }) => objects.map(uidOf)));

/** The quota with its status; undefined where that is as it should be. */
export function withStatus(quota: JsonObject, hard: Usage, used: Usage): JsonObject | undefined {
  const status = objectAt(quota, 'status');
  const shown = mask(used, hard.keys());
  const same = sameUsage(usageAt(status, 'hard'), hard) && sameUsage(usageAt(status, 'used'), shown);
  if (same && objectAt(status, 'hard') !== undefined) return undefined;
  return { ...quota, status: { hard: asObject(hard), used: asObject(shown) } };
}

/** Whether a quota's status does not speak of what its spec limits. */
export function isUncounted(quota: JsonObject): boolean {
  const status = objectAt(quota, 'status');
  const used = usageAt(status, 'used');
  const uncounted = [...hardOf(quota).keys()].some((name) => !used.has(name) && evaluatorsFor([name]).length > 0);
  return uncounted || !sameUsage(usageAt(status, 'hard'), hardOf(quota));
}

/** Names of resources that each quota of a namespace limits: which changes concern it. */
export class LimitedNames {
  readonly #byNamespace = new Map<string, Map<string, readonly string[]>>();

  set(namespace: string, quota: JsonObject): void {
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
