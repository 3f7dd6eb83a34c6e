import { type RpcCode, RpcError } from '#lib/machinery/rpc.ts';
import {
  type DeepPartial,
  VolumeCapability_AccessMode_Mode as Mode,
  NodeServiceCapability_RPC_Type as Type,
  type VolumeCapability,
} from '#lib/node/csi/generated/csi-v1.ts';
import type { CSINodeClient } from '#lib/node/csi/services.ts';
import { CSI_TIMEOUT } from './names.ts';

/** The bounds of every call to a driver. */
export const BOUNDS = { timeout: CSI_TIMEOUT };

/** The abilities of a driver on its node. */
export interface NodeAbilities {
  readonly stages: boolean;
  readonly stats: boolean;
  readonly expands: boolean;
  readonly singleNodeMultiWriter: boolean;
  readonly mountGroup: boolean;
}

/** Asks a driver what it can. */
export async function nodeAbilities(client: CSINodeClient): Promise<NodeAbilities> {
  const { capabilities } = await client.nodeGetCapabilities({}, BOUNDS);
  const types = new Set(capabilities.map(({ rpc }) => rpc?.type));
  return {
    stages: types.has(Type.STAGE_UNSTAGE_VOLUME),
    stats: types.has(Type.GET_VOLUME_STATS),
    expands: types.has(Type.EXPAND_VOLUME),
    singleNodeMultiWriter: types.has(Type.SINGLE_NODE_MULTI_WRITER),
    mountGroup: types.has(Type.VOLUME_MOUNT_GROUP),
  };
}

/** The use of a volume, as a driver is told. */
export interface VolumeUse {
  readonly accessMode: string;
  readonly block: boolean;
  readonly fsType?: string;
  readonly mountOptions?: readonly string[];
  /** The group that the driver itself gives the files to. */
  readonly fsGroup?: number;
}

/** The use of a volume in the driver's words. */
export function volumeCapability(use: VolumeUse, abilities: NodeAbilities): DeepPartial<VolumeCapability> {
  const accessMode = { mode: driverMode(use.accessMode, abilities.singleNodeMultiWriter) };
  if (use.block) return { accessMode, block: {} };
  const volumeMountGroup = use.fsGroup === undefined ? '' : String(use.fsGroup);
  return {
    accessMode,
    mount: { fsType: use.fsType ?? '', mountFlags: [...(use.mountOptions ?? [])], volumeMountGroup },
  };
}

function driverMode(accessMode: string, isMultiWriterKnown: boolean): Mode {
  switch (accessMode) {
    case 'ReadWriteOnce':
      return isMultiWriterKnown ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER;
    case 'ReadWriteOncePod':
      return isMultiWriterKnown ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER;
    case 'ReadOnlyMany':
      return Mode.MULTI_NODE_READER_ONLY;
    case 'ReadWriteMany':
      return Mode.MULTI_NODE_MULTI_WRITER;
    default:
      return Mode.UNKNOWN;
  }
}

/** Codes after which the driver may still be at work. */
const PENDING: readonly RpcCode[] = ['Canceled', 'DeadlineExceeded', 'Unavailable', 'ResourceExhausted', 'Aborted'];

/** Whether a call has ended for sure: nothing of it goes on in the driver. */
export const isFinal = (error: unknown): boolean => error instanceof RpcError && !PENDING.includes(error.code);
