import * as z from 'zod';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { NetworkAttachment } from '#lib/node/cni/cache.ts';

/** Time in ms after which no runtime call can still be creating a sandbox: twice the time-out of a call. */
export const IN_FLIGHT = 240_000;

/** The sandboxes of a node, which decide which attachments are unused. */
export interface KnownSandboxes {
  /** The ids of the sandboxes in the runtime. */
  readonly ids: ReadonlySet<string>;
  /**
   * Start time of the runtime in milliseconds since 1970, or 0 if unknown. A runtime loses the sandboxes that it was creating before a
   * restart.
   */
  readonly runtimeSince: number;
  /** The networks that the runtime attaches pods to. Others belong to other programs. */
  readonly networks: ReadonlySet<string>;
}

/** An address lease of the host-local plugin. */
export interface AddressLease {
  readonly network: string;
  readonly containerId: string;
  readonly ifName: string;
  /** Time of the lease in milliseconds since 1970. */
  readonly written: number;
}

/**
 * Whether a cached attachment is stale: it belongs to a CRI runtime and a network of this node. The runtime does not have its sandbox and
 * cannot be creating it.
 */
export function isStale(attachment: NetworkAttachment, known: KnownSandboxes, now: number): boolean {
  const { args = [], containerId, network, written } = attachment;
  const infra = args.find(([key]) => key === 'K8S_POD_INFRA_CONTAINER_ID')?.[1];
  return infra === containerId && isForgotten({ containerId, network, written }, known, now);
}

/**
 * Whether a lease is stale: the runtime does not have its sandbox and cannot be creating it. `cached` are the ids with a cached attachment,
 * which contains more information.
 */
export const isStaleLease = (
  lease: AddressLease,
  cached: ReadonlySet<string>,
  known: KnownSandboxes,
  now: number,
): boolean => SANDBOX_ID.test(lease.containerId) && !cached.has(lease.containerId) && isForgotten(lease, known, now);

/** The sandbox ids of CRI runtimes. */
const SANDBOX_ID = /^[0-9a-f]{64}$/;

function isForgotten(
  { containerId, network, written }: Pick<NetworkAttachment, 'containerId' | 'network' | 'written'>,
  { ids, runtimeSince, networks }: KnownSandboxes,
  now: number,
): boolean {
  const cannotBeMade = written < runtimeSince || now - written > IN_FLIGHT;
  return networks.has(network) && !ids.has(containerId) && cannotBeMade;
}

/** The lease directory of a network, or undefined if host-local does not allocate its addresses. */
export function leaseFolder(config: JsonObject, network: string): string | undefined {
  const { data } = pluginSchema.safeParse(config);
  return data && `${data.ipam.dataDir === '' ? '/var/lib/cni/networks' : data.ipam.dataDir}/${network}`;
}

const pluginSchema = z.object({ ipam: z.object({ type: z.literal('host-local'), dataDir: z.string().default('') }) });
