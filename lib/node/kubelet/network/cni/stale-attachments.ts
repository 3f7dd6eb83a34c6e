import * as z from 'zod';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { NetworkAttachment } from '#lib/node/cni/cache.ts';

/** Milliseconds after which no call of the runtime can be making a sandbox any more: twice the time that one may take. */
export const IN_FLIGHT = 240_000;

/** The sandboxes of a node, as far as they decide which attachments nobody uses. */
export interface KnownSandboxes {
  /** The ids of those that the runtime knows. */
  readonly ids: ReadonlySet<string>;
  /** When the runtime started, in milliseconds since 1970: it forgot those that it was making before. 0: nobody tells. */
  readonly runtimeSince: number;
  /** The networks that the runtime attaches pods to; others are of other programs. */
  readonly networks: ReadonlySet<string>;
}

/** A lease of an address that the plugin host-local keeps. */
export interface AddressLease {
  readonly network: string;
  readonly containerId: string;
  readonly ifName: string;
  /** When it was written, in milliseconds since 1970. */
  readonly written: number;
}

/** Whether an attachment of the cache is a CRI runtime's, to a network of this node, and of a sandbox that the runtime does not know and cannot be making. */
export function isStale(attachment: NetworkAttachment, known: KnownSandboxes, now: number): boolean {
  const { args = [], containerId, network, written } = attachment;
  const infra = args.find(([key]) => key === 'K8S_POD_INFRA_CONTAINER_ID')?.[1];
  return infra === containerId && isForgotten({ containerId, network, written }, known, now);
}

/** Whether a lease belongs to a sandbox that the runtime does not know and cannot be making. `cached`: ids with an attachment in the cache, which tells more. */
export const isStaleLease = (
  lease: AddressLease,
  cached: ReadonlySet<string>,
  known: KnownSandboxes,
  now: number,
): boolean => SANDBOX_ID.test(lease.containerId) && !cached.has(lease.containerId) && isForgotten(lease, known, now);

/** The ids of CRI runtimes' sandboxes. */
const SANDBOX_ID = /^[0-9a-f]{64}$/;

function isForgotten(
  { containerId, network, written }: Pick<NetworkAttachment, 'containerId' | 'network' | 'written'>,
  { ids, runtimeSince, networks }: KnownSandboxes,
  now: number,
): boolean {
  const cannotBeMade = written < runtimeSince || now - written > IN_FLIGHT;
  return networks.has(network) && !ids.has(containerId) && cannotBeMade;
}

/** The folder in which a network keeps its leases; undefined where host-local gives none of its addresses. */
export function leaseFolder(config: JsonObject, network: string): string | undefined {
  const { data } = pluginSchema.safeParse(config);
  return data && `${data.ipam.dataDir === '' ? '/var/lib/cni/networks' : data.ipam.dataDir}/${network}`;
}

const pluginSchema = z.object({ ipam: z.object({ type: z.literal('host-local'), dataDir: z.string().default('') }) });
