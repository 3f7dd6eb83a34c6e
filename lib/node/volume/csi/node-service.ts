import { type RpcCode, RpcError } from '#lib/machinery/rpc.ts';
import {
  type DeepPartial,
  VolumeCapability_AccessMode_Mode as Mode,
  NodeServiceCapability_RPC_Type as Type,
  type VolumeCapability,
} from '#lib/node/csi/generated/csi-v1.ts';
import type { CSINodeClient } from '#lib/node/csi/services.ts';
import { CSI_TIMEOUT } from './names.ts';

/** The limits of every driver call. */
export const BOUNDS = { timeout: CSI_TIMEOUT };

/** The capabilities of a driver on its node. */
export interface NodeAbilities {
  readonly stages: boolean;
  readonly stats: boolean;
  readonly expands: boolean;
  readonly singleNodeMultiWriter: boolean;
  readonly mountGroup: boolean;
}

/** Reads the capabilities of a driver. */
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

/** The parameters of a volume's use. */
export interface VolumeUse {
  readonly accessMode: string;
  readonly block: boolean;
  readonly fsType?: string;
  readonly mountOptions?: readonly string[];
  /** The group to which the driver itself assigns the files. */
  readonly fsGroup?: number;
}

/** The volume capability for CSI. */
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

/** Codes after which the driver may still be executing the call. */
const PENDING: readonly RpcCode[] = ['Canceled', 'DeadlineExceeded', 'Unavailable', 'ResourceExhausted', 'Aborted'];

/** Whether a failed call has definitely ended in the driver. */
export const isFinal = (error: unknown): boolean => error instanceof RpcError && !PENDING.includes(error.code);
