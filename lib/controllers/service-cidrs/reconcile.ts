import type { Client, ObjectRef } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Reconciler, Result } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';
import { decide, isTerminating, withCondition, type Action } from './decide.ts';

const networking = (resource: string): GroupVersionResource => ({
  group: 'networking.k8s.io',
  version: 'v1',
  resource,
});
const RANGES = networking('servicecidrs');
const ADDRESSES = networking('ipaddresses');
const MANAGED = 'ipaddress.kubernetes.io/managed-by=ipallocator.k8s.io';

/**
 * Makes networks of service addresses ready, and lets one go only when no service would hold an address outside of all:
 * upstream's servicecidrs controller. Keys are names of ServiceCIDRs.
 */
export function serviceCIDRsController(client: Client, clock: Clock): Reconciler {
  const ending = new Set<string>();
  return {
    name: 'service-cidr-controller',
    keys({ group, resource, type, name, object }) {
      if (group !== RANGES.group) return [];
      if (resource === ADDRESSES.resource) return type === 'DELETED' ? [...ending] : [];
      if (resource !== RANGES.resource) return [];
      if (type !== 'DELETED' && isTerminating(object())) ending.add(name);
      else ending.delete(name);
      return type === 'DELETED' ? [...ending] : [name, ...ending];
    },
    async reconcile(name) {
      const ref: ObjectRef = { resource: RANGES, namespace: '', name };
      const range = await client.get(ref);
      if (range === undefined) return undefined;
      return perform({ client, clock }, ref, range, await decided(client, range, clock.now())).catch(ignoreNotFound);
    },
  };
}

/** Only a deletion needs to know the others. */
async function decided(client: Client, range: JsonObject, now: number): Promise<Action> {
  if (!isTerminating(range)) return decide(range, [], [], now);
  const all = await client.list(RANGES);
  const held = await client.list(ADDRESSES, { labelSelector: MANAGED });
  return decide(range, all, held.map(nameOf), now);
}

interface Ports {
  readonly client: Client;
  readonly clock: Clock;
}

async function perform({ client, clock }: Ports, ref: ObjectRef, range: JsonObject, action: Action): Promise<Result> {
  switch (action.do) {
    case 'wait':
      return { requeueAfter: action.for };
    case 'finalizers':
      await client.update(ref, {
        ...range,
        metadata: { ...objectAt(range, 'metadata'), finalizers: action.finalizers },
      });
      return undefined;
    case 'condition': {
      const now = timeText(instantOf(new Date(clock.now()))) ?? '';
      await client.update(ref, withCondition(range, action.ready, now), 'status');
      return undefined;
    }
    case 'nothing':
      return undefined;
    default:
      return action satisfies never;
  }
}
