import { arrayAt, isObject, objectAt, stringAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { parseCIDR, parseIP, type Prefix } from '#lib/machinery/validation/ip.ts';

export const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';
/** How long a network stays after its deletion, so that no allocator still gives addresses of it. */
const GRACE = 10_000;

export type Action =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly for: number }
  | { readonly do: 'finalizers'; readonly finalizers: string[] }
  | { readonly do: 'condition'; readonly ready: boolean };

const finalizersOf = (range: JsonObject): string[] =>
  arrayAt(objectAt(range, 'metadata'), 'finalizers').filter((one) => typeof one === 'string');

export const isTerminating = (range: JsonObject): boolean => deletedAt(range) !== undefined;

const deletedAt = (range: JsonObject): string | undefined => stringAt(objectAt(range, 'metadata'), 'deletionTimestamp');

/** What to do for a network; `all` of them and the names of the addresses that services hold. */
export function decide(range: JsonObject, all: readonly JsonObject[], held: readonly string[], now: number): Action {
  const finalizers = finalizersOf(range);
  const deleted = deletedAt(range);
  if (deleted === undefined) {
    if (!finalizers.includes(FINALIZER)) return { do: 'finalizers', finalizers: [...finalizers, FINALIZER] };
    return unless(range, true);
  }
  if (!finalizers.includes(FINALIZER)) return { do: 'nothing' };
  if (orphans(range, all, held)) return unless(range, false);
  const left = Date.parse(deleted) + GRACE - now;
  if (left > 0) return { do: 'wait', for: left };
  return { do: 'finalizers', finalizers: finalizers.filter((one) => one !== FINALIZER) };
}

/** Sets the condition unless it is so already. */
function unless(range: JsonObject, ready: boolean): Action {
  const { status, reason, message } = condition(ready, '');
  const current = readyOf(range);
  const isSo =
    stringAt(current, 'status') === status &&
    (stringAt(current, 'reason') ?? '') === reason &&
    (ready || stringAt(current, 'message') === message);
  return isSo ? { do: 'nothing' } : { do: 'condition', ready };
}

const conditionsOf = (range: JsonObject): JsonObject[] =>
  arrayAt(objectAt(range, 'status'), 'conditions').filter(isObject);

const readyOf = (range: JsonObject): JsonObject | undefined =>
  conditionsOf(range).find((one) => stringAt(one, 'type') === 'Ready');

/** The network with its Ready condition; the time changes with the status alone. */
export function withCondition(range: JsonObject, ready: boolean, now: string): JsonObject {
  const current = readyOf(range);
  const next = condition(ready, now);
  const same = stringAt(current, 'status') === next.status;
  const kept: Json = { ...next, lastTransitionTime: (same && stringAt(current, 'lastTransitionTime')) || now };
  const others = conditionsOf(range).filter((one) => one !== current);
  return { ...range, status: { ...objectAt(range, 'status'), conditions: [...others, kept] } };
}

function condition(ready: boolean, lastTransitionTime: string) {
  return {
    type: 'Ready',
    status: ready ? 'True' : 'False',
    reason: ready ? '' : 'Terminating',
    message: ready
      ? 'Services are given addresses of this network'
      : 'Services hold addresses of this network that no other has; delete them, or add a network that contains them',
    lastTransitionTime,
  };
}

/** Whether some address would be in no network any more. */
function orphans(range: JsonObject, all: readonly JsonObject[], held: readonly string[]): boolean {
  const others = all.filter((one) => nameOf(one) !== nameOf(range)).flatMap(prefixesOf);
  const own = prefixesOf(range);
  return held.some((name) => {
    const bytes = parseIP(name)?.bytes;
    if (bytes === undefined || !own.some((prefix) => contains(prefix, bytes))) return false;
    return !others.some((prefix) => contains(prefix, bytes));
  });
}

function prefixesOf(range: JsonObject): Prefix[] {
  return arrayAt(objectAt(range, 'spec'), 'cidrs').flatMap((cidr) =>
    typeof cidr === 'string' ? (parseCIDR(cidr) ?? []) : [],
  );
}

function contains({ address, length }: Prefix, bytes: readonly number[]): boolean {
  if (address.bytes.length !== bytes.length) return false;
  return bytes.every((byte, i) => {
    const bits = Math.min(8, Math.max(0, length - 8 * i));
    const mask = (0xff << (8 - bits)) & 0xff;
    return (byte & mask) === ((address.bytes[i] ?? 0) & mask);
  });
}
