import type { ResourceClaim } from '#lib/api/types/resource.v1.ts';

/** A device that a DRA driver has prepared for a claim. */
export interface PreparedDevice {
  readonly poolName: string;
  readonly deviceName: string;
  /** The share of a device that several claims use. */
  readonly shareID: string | undefined;
  readonly requestNames: readonly string[];
  /** Qualified names of CDI devices. */
  readonly cdiDeviceIDs: readonly string[];
}

/** A claim that pods of this node use (upstream: ClaimInfo). */
export interface ClaimInfo {
  readonly claimUID: string;
  readonly claimName: string;
  readonly namespace: string;
  /** UIDs of the pods that use it. */
  readonly podUIDs: Set<string>;
  /** The prepared devices of each driver that allocated devices. */
  readonly drivers: Map<string, readonly PreparedDevice[]>;
  /** Whether all drivers have prepared it since the agent started. */
  prepared: boolean;
}

/** The info of an unprepared claim. Throws Error if it is not allocated. */
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

/** The CDI devices for a request of a claim, or for all requests if it is ''. */
export const cdiDevicesOf = ({ drivers }: ClaimInfo, request: string): string[] =>
  [...drivers.values()]
    .flat()
    .filter(({ requestNames }) => request === '' || requestNames.length === 0 || requestNames.includes(request))
    .flatMap(({ cdiDeviceIDs }) => cdiDeviceIDs);
