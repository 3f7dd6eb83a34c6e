import { type VolumeUsage as DriverUsage, VolumeUsage_Unit as Unit } from '#lib/node/csi/generated/csi-v1.ts';
import type { VolumeUsage } from '../volume.ts';
import type { CSIHost } from './host.ts';
import { BOUNDS, nodeAbilities } from './node-service.ts';

/** A published volume of a driver. */
export interface PublishedVolume {
  readonly driver: string;
  readonly handle: string;
  readonly path: string;
}

/**
 * The usage of a volume according to its driver (upstream: metricsCsi). Undefined if the driver does not report usage. Throws if the call
 * fails.
 */
export async function volumeStats(csi: CSIHost, volume: PublishedVolume): Promise<VolumeUsage | undefined> {
  const client = csi.client(volume.driver);
  if (!(await nodeAbilities(client)).stats) return undefined;
  const { usage } = await client.nodeGetVolumeStats({ volumeId: volume.handle, volumePath: volume.path }, BOUNDS);
  if (usage.length === 0) throw new Error('failed to get usage from response. usage is nil');
  const of = (unit: Unit): DriverUsage | undefined => usage.findLast((one) => one.unit === unit);
  const [bytes, inodes] = [of(Unit.BYTES), of(Unit.INODES)];
  return {
    availableBytes: count(bytes?.available),
    capacityBytes: count(bytes?.total),
    usedBytes: count(bytes?.used),
    inodesFree: count(inodes?.available),
    inodes: count(inodes?.total),
    inodesUsed: count(inodes?.used),
  };
}

/** Treats negative values from a driver as 0. */
const count = (value = 0): bigint => BigInt(Math.max(value, 0));
