import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { CorruptCheckpointError } from '../../checkpointmanager/checkpoint-store.ts';
import type { ClaimInfo, PreparedDevice } from './claim-info.ts';

/** The name of the checkpoint. */
export const DRA_MANAGER_STATE = 'dra_manager_state';

const texts = z.array(z.string()).nullish();
const deviceSchema = z.object({
  PoolName: z.string(),
  DeviceName: z.string(),
  ShareID: z.string().nullish(),
  RequestNames: texts,
  CDIDeviceIDs: texts,
});
const claimSchema = z.object({
  ClaimUID: z.string(),
  ClaimName: z.string(),
  Namespace: z.string(),
  PodUIDs: z.record(z.string(), z.object({})).nullish(),
  DriverState: z.record(z.string(), z.object({ Devices: z.array(deviceSchema).nullish() })).nullish(),
});
const dataSchema = z.object({ ClaimInfoStateList: z.array(claimSchema).nullish() });
const checkpointSchema = z.object({ Data: z.string(), Checksum: z.number() });

/** The text of the checkpoint: upstream's `DRACheckpoint`, wrapped with its CRC-32. */
export function encodeClaims(claims: readonly ClaimInfo[]): string {
  const data = JSON.stringify({
    kind: 'DRACheckpoint',
    apiVersion: 'checkpoint.dra.kubelet.k8s.io/v1',
    ClaimInfoStateList: claims.map(({ claimUID, claimName, namespace, podUIDs, drivers }) => ({
      ClaimUID: claimUID,
      ClaimName: claimName,
      Namespace: namespace,
      PodUIDs: Object.fromEntries([...podUIDs].sort().map((uid) => [uid, {}])),
      DriverState: Object.fromEntries([...drivers].map(([name, devices]) => [name, driverState(devices)])),
    })),
  });
  return JSON.stringify({ Data: data, Checksum: crc32(data) });
}

const driverState = (devices: readonly PreparedDevice[]): object => ({
  Devices:
    devices.length === 0
      ? null
      : devices.map(({ poolName, deviceName, shareID, requestNames, cdiDeviceIDs }) => ({
          PoolName: poolName,
          DeviceName: deviceName,
          ShareID: shareID ?? null,
          RequestNames: requestNames.length === 0 ? null : requestNames,
          CDIDeviceIDs: cdiDeviceIDs.length === 0 ? null : cdiDeviceIDs,
        })),
});

/** Reads the checkpoint. No claim counts as prepared. Throws CorruptCheckpointError if the checksum differs. */
export function decodeClaims(bytes: Uint8Array): ClaimInfo[] {
  const { Data, Checksum } = checkpointSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
  if (crc32(Data) !== Checksum) throw new CorruptCheckpointError();
  const { ClaimInfoStateList } = dataSchema.parse(JSON.parse(Data));
  return (ClaimInfoStateList ?? []).map(({ ClaimUID, ClaimName, Namespace, PodUIDs, DriverState }) => ({
    claimUID: ClaimUID,
    claimName: ClaimName,
    namespace: Namespace,
    podUIDs: new Set(Object.keys(PodUIDs ?? {})),
    drivers: new Map(
      Object.entries(DriverState ?? {}).map(([name, { Devices }]) => [name, (Devices ?? []).map(preparedDevice)]),
    ),
    prepared: false,
  }));
}

const preparedDevice = (device: z.infer<typeof deviceSchema>): PreparedDevice => ({
  poolName: device.PoolName,
  deviceName: device.DeviceName,
  shareID: device.ShareID ?? undefined,
  requestNames: device.RequestNames ?? [],
  cdiDeviceIDs: device.CDIDeviceIDs ?? [],
});
