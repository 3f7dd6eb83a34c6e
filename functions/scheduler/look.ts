import type { Client } from '#lib/client/client.ts';
import { fenceClient, underLease } from '#lib/client/under-lease.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

const PODS = { group: '', version: 'v1', resource: 'pods' };
/** Pods that wait for a node, whoever places them. */
const WAITING = 'spec.nodeName=,status.phase!=Succeeded,status.phase!=Failed';
/** The lease that upstream's schedulers elect their leader by. */
const LEASE = { namespace: 'kube-system', name: 'kube-scheduler' };
/** Seconds: more than a look may last. */
const LEASE_SECONDS = 150;
/** Milliseconds until what waits is looked at again. */
const AGAIN = 60_000;

/** The ports of one scheduling run. */
export interface SchedulingRunPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** Of this look: unlike all others. */
  readonly identity: string;
  /** Names of schedulers whose pods are placed here. */
  readonly schedulerNames: ReadonlySet<string>;
  /** Gives nodes to pods, whose bindings the client fences. Resolves with whether nobody waits any more. */
  schedule(client: Client): Promise<boolean>;
  /** Has somebody look at `at`, in milliseconds since the epoch, or a little later. */
  lookAt(at: number): Promise<void>;
  reportFault(error: unknown): void;
}

/**
 * Looks once at all pods that wait, and has those that still wait looked at again: nothing else that they wait for rings. While
 * another holds the lease nothing is done.
 */
export async function scheduleOnce(ports: SchedulingRunPorts): Promise<void> {
  const { client, clock, identity, reportFault } = ports;
  if (!(await isAnyoneWaiting(ports))) return;
  const done = await underLease(
    { client, clock, identity, ...LEASE, seconds: LEASE_SECONDS, onFault: reportFault },
    (token) => ports.schedule(fenceClient(client, token)),
  );
  if (done !== true) await ports.lookAt(clock.now() + AGAIN);
}

/** Whether an ungated pod waits. A pod that loses its last gate rings. */
async function isAnyoneWaiting({ client, schedulerNames }: SchedulingRunPorts): Promise<boolean> {
  const pods = await client.list(PODS, { fieldSelector: WAITING });
  return pods.some((pod) => {
    const spec = objectAt(pod, 'spec');
    return schedulerNames.has(text(spec, 'schedulerName')) && items(spec, 'schedulingGates').length === 0;
  });
}
