import type { ResourceClaim } from '#lib/api/types/resource.v1.ts';

/** A device that a DRA driver prepared for a claim. */
export interface PreparedDevice {
  readonly poolName: string;
  readonly deviceName: string;
  /** The share of a device that several claims have. */
  readonly shareID: string | undefined;
  readonly requestNames: readonly string[];
  /** Fully qualified names of CDI devices. */
  readonly cdiDeviceIDs: readonly string[];
}

/** A claim that pods of this node use (upstream: ClaimInfo). */
export interface ClaimInfo {
  readonly claimUID: string;
  readonly claimName: string;
  readonly namespace: string;
  /** The pods that use it. */
  readonly podUIDs: Set<string>;
  /** The drivers that allocated devices, with those that they prepared. */
  readonly drivers: Map<string, readonly PreparedDevice[]>;
  /** Whether all drivers prepared it since the agent started. */
  prepared: boolean;
}

/** The info of a claim that no driver prepared yet. Throws Error where it is not allocated. */
export function newClaimInfo({ metadata, status }: ResourceClaim): ClaimInfo {
  if (status.allocation === undefined) throw new Error('not allocated');
  const results = status.allocation.devices?.results ?? [];
  return {
    claimUID: metadata.uid ?? '',
    claimName: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    podUIDs: new Set(),
    drivers: new Map(results.map(({ driver }) => [driver, []])),
    prepared: false,
  };
}

/** The CDI devices for a request of a claim; for all requests where it is ''. */
export const cdiDevicesOf = ({ drivers }: ClaimInfo, request: string): string[] =>
  [...drivers.values()]
    .flat()
    .filter(({ requestNames }) => request === '' || requestNames.length === 0 || requestNames.includes(request))
    .flatMap(({ cdiDeviceIDs }) => cdiDeviceIDs);
