import type { ConfigMap, Pod, Secret, ServiceAccount } from '#lib/api/types/core.v1.ts';
import { accountOf, belongs, TYPE } from '#lib/controllers/service-account-token/decide.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { creationTimeOf, isDeleting, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { secretNames } from '#lib/server/registry/kinds/core/pod/secret-names.ts';

/** The config map with the date since which the use of tokens is tracked. */
export const TRACKING = 'kube-apiserver-legacy-service-account-token-tracking';
/** The label of secrets with the date since which their token is invalid. */
export const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const LAST_USED = 'kubernetes.io/legacy-token-last-used';

/** A day in milliseconds. */
export const DAY = 86_400_000;
/** The time in ms that a token must be unused before it is marked, and marked before it is deleted. Upstream's default is a year. */
export const PERIOD = 365 * DAY;

/** The UTC date in the format of the labels. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The date since which use is tracked. Undefined if the config map has none. */
export function trackedSince(configMap: ConfigMap | undefined): string | undefined {
  const since = ownField(configMap?.data, 'since') ?? '';
  return isDay(since) ? since : undefined;
}

/** Whether use has been tracked for the period plus a day. */
export const isTrackedForLong = (since: string, now: number): boolean => now >= Date.parse(since) + DAY + PERIOD;

/** Whether the token was unused for the period. An invalid date does not count as a use. */
export function isIdle(secret: Secret, now: number): boolean {
  const created = creationTimeOf(secret)?.getTime() ?? now;
  if (secret.type !== TYPE || isDeleting(secret) || created >= now - PERIOD) return false;
  const used = labelsOf(secret)[LAST_USED];
  return used === undefined || (isDay(used) && used < dayOf(now - PERIOD));
}

/** Whether an old cluster generated the token for its account, and no pod mounts it. An account lists its generated tokens. */
export function isLeftOver(secret: Secret, account: ServiceAccount | undefined, pods: readonly Pod[]): boolean {
  if (account === undefined || accountOf(secret) !== nameOf(account) || !belongs(secret, account)) return false;
  if (!(account.secrets ?? []).some(({ name }) => name === nameOf(secret))) return false;
  return !pods.some((pod) => secretNames(pod.spec).includes(nameOf(secret)));
}

/** The next step for a left-over secret: its token is first marked as invalid, and deleted a period later. */
export function nextStep(secret: Secret, now: number): 'mark' | 'wait' | 'delete' {
  const since = labelsOf(secret)[INVALID_SINCE] ?? '';
  if (!isDay(since)) return 'mark';
  return since >= dayOf(now - PERIOD) ? 'wait' : 'delete';
}
