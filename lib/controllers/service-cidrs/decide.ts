import { type Condition } from '#lib/api/types/meta.v1.ts';
import type { ServiceCIDR } from '#lib/api/types/networking.v1.ts';
import { findCondition, transitioned, withoutCondition } from '#lib/machinery/conditions.ts';
import { finalizersOf, nameOf } from '#lib/machinery/meta.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { contains, type Prefix } from '#lib/machinery/net/prefix.ts';

/** The finalizer of ranges that services may use. */
export const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';
/** The time in ms that a deleted range stays, so that no allocator still assigns its addresses. */
const GRACE = 10_000;

/** The next step for a range. `for` is in ms. */
export type Action =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly for: number }
  | { readonly do: 'finalizers'; readonly finalizers: string[] }
  | { readonly do: 'condition'; readonly ready: boolean };

/** The next step for a range, given `all` ranges and the names of the addresses that services use. */
export function decide(range: ServiceCIDR, all: readonly ServiceCIDR[], held: readonly string[], now: number): Action {
  const finalizers = finalizersOf(range);
  const deleted = range.metadata.deletionTimestamp;
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

/** Sets the condition if it differs. */
function unless(range: ServiceCIDR, ready: boolean): Action {
  const { status, reason, message } = condition(ready, '');
  const current = findCondition(range.status.conditions, 'Ready');
  const isSo = current?.status === status && current.reason === reason && (ready || current.message === message);
  return isSo ? { do: 'nothing' } : { do: 'condition', ready };
}

/** The range with its Ready condition. The transition time changes only with the status. */
export function withCondition(range: ServiceCIDR, ready: boolean, now: string): ServiceCIDR {
  const current = findCondition(range.status.conditions, 'Ready');
  const next = transitioned<Condition>(condition(ready, now), current);
  const others = withoutCondition(range.status.conditions ?? [], 'Ready');
  return { ...range, status: { ...range.status, conditions: [...others, next] } };
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

/** Whether a service's address would no longer be in any range. */
function orphans(range: ServiceCIDR, all: readonly ServiceCIDR[], held: readonly string[]): boolean {
  const others = all.filter((one) => nameOf(one) !== nameOf(range)).flatMap(networksOf);
  const own = networksOf(range);
  return held.some((name) => {
    const addr = parseIPSloppy(name);
    if (addr === undefined || !own.some((prefix) => contains(prefix, addr))) return false;
    return !others.some((prefix) => contains(prefix, addr));
  });
}

/** The networks of a ServiceCIDR. */
export const networksOf = ({ spec }: ServiceCIDR): Prefix[] =>
  (spec.cidrs ?? []).flatMap((cidr) => parseCIDRSloppy(cidr) ?? []);
