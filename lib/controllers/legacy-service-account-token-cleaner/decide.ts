import { typedPart } from '#lib/api/typed.ts';
import { secretNames } from '#lib/registry/kinds/core/pod/secret-names.ts';
import { accountOf, belongs, TYPE } from '#lib/controllers/service-account-token/decide.ts';
import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { creationTimeOf, isDeleting, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';

/** Holds the day since when it is known which tokens are used. */
export const TRACKING = 'kube-apiserver-legacy-service-account-token-tracking';
export const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const LAST_USED = 'kubernetes.io/legacy-token-last-used';

export const DAY = 86_400_000;
/** For how long a token is unused before it is marked, and marked before it goes: upstream's default, a year. */
export const PERIOD = 365 * DAY;

/** The UTC day, as labels have it. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Since when use is tracked; undefined where the config map does not say. */
export function trackedSince(configMap: JsonObject | undefined): string | undefined {
  const since = stringAt(objectAt(configMap, 'data'), 'since') ?? '';
  return isDay(since) ? since : undefined;
}

export const isTrackedForLong = (since: string, now: number): boolean => now >= Date.parse(since) + DAY + PERIOD;

/** Whether nobody has shown the token for as long as it takes; a day that cannot be read is none to go by. */
export function isIdle(secret: JsonObject, now: number): boolean {
  const created = creationTimeOf(secret)?.getTime() ?? now;
  if (text(secret, 'type') !== TYPE || isDeleting(secret) || created >= now - PERIOD) return false;
  const used = labelsOf(secret)[LAST_USED];
  return used === undefined || (isDay(used) && used < dayOf(now - PERIOD));
}

/** Whether the token was made for its account by a cluster of old, which lists it there, and no pod mounts it. */
export function isLeftOver(secret: JsonObject, account: JsonObject | undefined, pods: readonly JsonObject[]): boolean {
  if (account === undefined || accountOf(secret) !== nameOf(account) || !belongs(secret, account)) return false;
  if (!items(account, 'secrets').some((one) => text(one, 'name') === nameOf(secret))) return false;
  return !pods.some((pod) => secretNames(typedPart(at(pod, 'spec') ?? {})).includes(nameOf(secret)));
}

/** What becomes of a left-over secret: first nobody is known by it any more, much later it goes. */
export function nextStep(secret: JsonObject, now: number): 'mark' | 'wait' | 'delete' {
  const since = labelsOf(secret)[INVALID_SINCE] ?? '';
  if (!isDay(since)) return 'mark';
  return since >= dayOf(now - PERIOD) ? 'wait' : 'delete';
}
