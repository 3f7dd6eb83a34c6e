import type { ServiceCIDR } from '#lib/api/types/networking.v1.ts';
import { IP_ADDRESSES, SERVICE_CIDRS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { type Recorder, recordEvent } from '#lib/client/record/record-event.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { type Action, decide, withCondition } from './decide.ts';

const [RANGES, ADDRESSES] = [SERVICE_CIDRS, IP_ADDRESSES];
const MANAGED = 'ipaddress.kubernetes.io/managed-by=ipallocator.k8s.io';

/**
 * Marks service CIDRs as ready, and releases a deleted one only when other ranges contain every service address:
 * upstream's servicecidrs controller. Keys are names of ServiceCIDRs.
 */
export function serviceCIDRsController(untyped: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const client = clientset(untyped);
  const kind = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR' };
  const recorder: Recorder = { client, component: 'service-cidr-controller', ...kind, events };
  const ending = new Set<string>();
  return {
    name: 'service-cidr-controller',
    keys({ group, resource, type, name, object }) {
      if (group !== RANGES.group) return [];
      if (resource === ADDRESSES.resource) return type === 'DELETED' ? [...ending] : [];
      if (resource !== RANGES.resource) return [];
      if (type !== 'DELETED' && isDeleting(object())) ending.add(name);
      else ending.delete(name);
      return type === 'DELETED' ? [...ending] : [name, ...ending];
    },
    async reconcile(name) {
      const ref: RefOf<ServiceCIDR> = { resource: RANGES, namespace: '', name };
      const range = await client.get(ref);
      if (range === undefined) return undefined;
      return perform({ client, clock, recorder }, ref, range, await decided(client, range, clock.now())).catch(
        ignoreNotFound,
      );
    },
  };
}

const NOT_READY: EventText = {
  type: 'Warning',
  reason: 'KubernetesServiceCIDRError',
  message: 'The ServiceCIDR Status can not be set to Ready=True',
};

/** A conflict is no refusal: the next attempt reads the range again. */
const isRefusal = (error: unknown): boolean =>
  error instanceof StatusError && error.reason !== 'Conflict' && error.reason !== 'NotFound';

/** Reads the other ranges and the addresses only for a range that is being deleted. */
async function decided(client: Clientset, range: ServiceCIDR, now: number): Promise<Action> {
  if (!isDeleting(range)) return decide(range, [], [], now);
  const all = await client.list(RANGES);
  const held = await client.list(ADDRESSES, { labelSelector: MANAGED });
  return decide(range, all, held.map(nameOf), now);
}

interface Ports {
  readonly client: Clientset;
  readonly clock: Clock;
  readonly recorder: Recorder;
}

async function perform(
  { client, clock, recorder }: Ports,
  ref: RefOf<ServiceCIDR>,
  range: ServiceCIDR,
  action: Action,
): Promise<Result> {
  switch (action.do) {
    case 'wait':
      return { requeueAfter: action.for };
    case 'finalizers':
      await client.update(ref, {
        ...range,
        metadata: { ...range.metadata, finalizers: action.finalizers },
      });
      return undefined;
    case 'condition': {
      const now = timeOf(clock.now());
      await client.update(ref, withCondition(range, action.ready, now), 'status').catch(async (error: unknown) => {
        if (action.ready && isRefusal(error)) await recordEvent(recorder, range, NOT_READY);
        throw error;
      });
      return undefined;
    }
    case 'nothing':
      return undefined;
    default:
      return action satisfies never;
  }
}
