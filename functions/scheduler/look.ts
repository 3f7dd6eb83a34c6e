import type { Client } from '#lib/client/client.ts';
import { fenceClient, underLease } from '#lib/client/under-lease.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

const PODS = { group: '', version: 'v1', resource: 'pods' };
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
/** Pods that wait for a node, whoever places them. */
const WAITING = 'spec.nodeName=,status.phase!=Succeeded,status.phase!=Failed';
/** The lease that upstream's schedulers elect their leader by. */
const LEASE = { namespace: 'kube-system', name: 'kube-scheduler' };
/** Milliseconds until what waits is looked at again. */
const AGAIN = 60_000;
/** Milliseconds until somebody looks whether a look has ended: more than its lease outlives it. */
const CHECK = 20_000;
/** Milliseconds until what rang during another look is looked at. */
const BUSY = 5_000;

/** The ports of one scheduling run. */
export interface SchedulingRunPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** Of this look: unlike all others. */
  readonly identity: string;
  /** Names of schedulers whose pods are placed here. */
  readonly schedulerNames: ReadonlySet<string>;
  /** The looks whose end is to be checked; absent where anything else rang. */
  readonly after?: readonly string[];
  /** Gives nodes to pods, whose bindings the client fences. Resolves with true if no pod waits any more, and with false if the signal aborts. */
  schedule(client: Client, lost: AbortSignal): Promise<boolean>;
  /** Has somebody look in so many milliseconds, whether or not this look ends: `after` names the look to be checked. */
  lookIn(milliseconds: number, after?: string): Promise<void>;
  /** Has somebody look at `at`, in milliseconds since the epoch, or a little later. */
  lookAt(at: number): Promise<void>;
  reportFault(error: unknown): void;
}

/**
 * Looks once at all pods that wait, and has those that still wait looked at again: nothing else that they wait for rings. While
 * another holds the lease nothing is done, and what rang is looked at soon after. A look that is killed is noticed by the word that
 * it has sent before: the lease still names it then.
 */
export async function scheduleOnce(ports: SchedulingRunPorts): Promise<void> {
  const { client, clock, identity, reportFault } = ports;
  if (await isOver(ports)) return;
  if (!(await isAnyoneWaiting(ports))) return;
  const done = await underLease({ client, clock, identity, ...LEASE, onFault: reportFault }, async (token, lost) => {
    await ports.lookIn(CHECK, identity);
    return ports.schedule(fenceClient(client, token), lost);
  });
  if (done === undefined) await ports.lookIn(BUSY);
  if (done === false) await ports.lookAt(clock.now() + AGAIN);
}

/** Whether nothing rang, and the looks to be checked have ended: then they have given the lease back. */
async function isOver({ client, after }: SchedulingRunPorts): Promise<boolean> {
  if (after === undefined) return false;
  const lease = await client.get({ resource: LEASES, ...LEASE });
  return !after.includes(text(objectAt(lease, 'spec'), 'holderIdentity'));
}

/** Whether an ungated pod waits. A pod that loses its last gate rings. */
async function isAnyoneWaiting({ client, schedulerNames }: SchedulingRunPorts): Promise<boolean> {
  const pods = await client.list(PODS, { fieldSelector: WAITING });
  return pods.some((pod) => {
    const spec = objectAt(pod, 'spec');
    return schedulerNames.has(text(spec, 'schedulerName')) && items(spec, 'schedulingGates').length === 0;
  });
}
