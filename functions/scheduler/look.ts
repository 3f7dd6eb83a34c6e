import type { Client } from '#lib/client/client.ts';
import { fenceClient, underLease } from '#lib/client/under-lease.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

const PODS = { group: '', version: 'v1', resource: 'pods' };
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
/** Selects pods that wait for a node, for any scheduler. */
const WAITING = 'spec.nodeName=,status.phase!=Succeeded,status.phase!=Failed';
/** The lease with which upstream's schedulers elect their leader. */
const LEASE = { namespace: 'kube-system', name: 'kube-scheduler' };
/** Interval in ms until waiting pods are tried again. */
const AGAIN = 60_000;
/** Delay in ms until another run checks that this one has ended. The lease of a killed run has expired by then. */
const CHECK = 20_000;
/** Delay in ms until a trigger that arrived during another run is handled. */
const BUSY = 5_000;

/** The ports of one scheduling run. */
export interface SchedulingRunPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** Identifies this run uniquely. */
  readonly identity: string;
  /** Names of the schedulers whose pods are placed here. */
  readonly schedulerNames: ReadonlySet<string>;
  /** The runs whose end this run checks. Undefined if this run has any other trigger. */
  readonly after?: readonly string[];
  /**
   * Assigns nodes to pods. The client fences the bindings. Resolves with true if no pod waits any more, and with false if the signal
   * aborts.
   */
  schedule(client: Client, lost: AbortSignal): Promise<boolean>;
  /** Triggers a run after this many milliseconds, even if this run is killed. `after` is the identity of the run to check. */
  lookIn(milliseconds: number, after?: string): Promise<void>;
  /** Triggers a run at `at`, in milliseconds since the epoch, or a little later. */
  lookAt(at: number): Promise<void>;
  reportFault(error: unknown): void;
}

/**
 * Runs once for all waiting pods. Schedules another run if pods still wait, because no change would trigger one. While another run holds
 * the lease, it only delays the trigger. A killed run is detected by the check message that it sent at its start: the lease still names
 * that run.
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

/** Whether this run only checks other runs, and they have ended and released the lease. */
async function isOver({ client, after }: SchedulingRunPorts): Promise<boolean> {
  if (after === undefined) return false;
  const lease = await client.get({ resource: LEASES, ...LEASE });
  return !after.includes(text(objectAt(lease, 'spec'), 'holderIdentity'));
}

/** Whether an ungated pod waits. A pod that loses its last gate triggers a run. */
async function isAnyoneWaiting({ client, schedulerNames }: SchedulingRunPorts): Promise<boolean> {
  const pods = await client.list(PODS, { fieldSelector: WAITING });
  return pods.some((pod) => {
    const spec = objectAt(pod, 'spec');
    return schedulerNames.has(text(spec, 'schedulerName')) && items(spec, 'schedulingGates').length === 0;
  });
}
