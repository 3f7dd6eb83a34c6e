import type { Lease } from '#lib/api/types/coordination.v1.ts';
import { LEASES, NODES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import { jitter } from '#lib/machinery/wait/jitter.ts';

const NAMESPACE = 'kube-node-lease';
/** The interval between renewals as a share of the Lease's duration, and the jitter as a share of that interval. Both are upstream's. */
const RENEWAL = 0.25;
const JITTER = 0.04;

/** The ports for the renewal of a Lease. */
export interface NodeLeaseOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly node: string;
  /** Duration of the Lease in seconds. */
  readonly duration: number;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Called when a renewal fails. The renewal is retried. */
  onFault(error: unknown): void;
}

type LeaseFacts = Pick<NodeLeaseOptions, 'node' | 'duration'>;

/** The next state of the Lease: the previous one renewed, or a new one. `now` is in milliseconds since 1970. */
export function newLease(
  { node, duration }: LeaseFacts,
  uid: string | undefined,
  base: Lease | undefined,
  now: number,
): Lease {
  const renewTime = microTimeText(instantOf(new Date(now))) ?? '';
  const lease: Lease = base ?? {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: node, namespace: NAMESPACE },
    spec: { holderIdentity: node, leaseDurationSeconds: duration },
  };
  const { ownerReferences: owners = [] } = lease.metadata;
  const own = owners.length > 0 || uid === undefined ? owners : [{ apiVersion: 'v1', kind: 'Node', name: node, uid }];
  return {
    ...lease,
    metadata: { ...lease.metadata, ...(own.length === 0 ? {} : { ownerReferences: own }) },
    spec: { ...lease.spec, renewTime },
  };
}

/**
 * Renews a node's Lease four times in its duration until the signal aborts. Like upstream's lease controller, it never releases the Lease.
 */
export async function runNodeLease(options: NodeLeaseOptions, signal: AbortSignal): Promise<void> {
  const { clock, random, onFault, duration } = options;
  let latest: Lease | undefined;
  while (!signal.aborted) {
    try {
      latest = await renew(options, latest);
    } catch (error) {
      latest = undefined; // read it again
      if (!signal.aborted) onFault(error);
    }
    await clock.sleep(jitter(duration * 1000 * RENEWAL, JITTER, random), signal);
  }
}

/**
 * Updates the latest Lease, and reads it again after a conflict. Looks up the owner until it exists. Returns undefined if the Node is not
 * registered yet.
 */
async function renew(options: NodeLeaseOptions, latest: Lease | undefined): Promise<Lease | undefined> {
  const { node, clock } = options;
  const client = clientset(options.client);
  const ref = { resource: LEASES, namespace: NAMESPACE, name: node };
  const base = latest ?? (await client.get(ref));
  const isOwned = (base?.metadata.ownerReferences ?? []).length > 0;
  const owner = isOwned ? undefined : await client.get({ resource: NODES, namespace: '', name: node });
  if (!isOwned && owner === undefined) return undefined;
  const lease = newLease(options, owner?.metadata.uid, base, clock.now());
  if (base === undefined) return client.create(LEASES, lease);
  return client.update(ref, lease).catch((error: unknown) => {
    const isStale = error instanceof StatusError && ['Conflict', 'NotFound'].includes(error.reason ?? '');
    if (!isStale || latest === undefined) throw error;
    return renew(options, undefined);
  });
}
