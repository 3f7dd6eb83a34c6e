import { RpcError, type ServiceHandlers } from '#lib/machinery/rpc.ts';
import {
  ControllerServiceCapability_RPC_Type as Ability,
  ControllerDefinition,
  IdentityDefinition,
  PluginCapability_Service_Type as Service,
  type VolumeCapability,
} from '#lib/node/csi/generated/csi-v1.ts';

/** A volume that the controller created. */
interface Volume {
  readonly volumeId: string;
  readonly capacityBytes: number;
}

const DEFAULT_SIZE = 1 << 20;
const ABILITIES = [Ability.CREATE_DELETE_VOLUME, Ability.LIST_VOLUMES, Ability.EXPAND_VOLUME];

/** The volumes of a driver that creates them itself: the identity and controller services of the folder driver. */
export class Volumes {
  /** By the names that the caller chose. */
  readonly #volumes = new Map<string, Volume>();
  readonly #driver: string;

  constructor(driver: string) {
    this.#driver = driver;
  }

  /** Throws NotFound for a volume that was not created. */
  check(volumeId: string): void {
    if (!this.#all().some((volume) => volume.volumeId === volumeId))
      throw new RpcError('NotFound', `no volume ${volumeId}`);
  }

  /** Serves the Identity calls with the driver's identity. */
  identity(): Pick<ServiceHandlers<IdentityDefinition>, 'getPluginInfo' | 'getPluginCapabilities' | 'probe'> {
    const service = { type: Service.CONTROLLER_SERVICE };
    return {
      getPluginInfo: async () => ({ name: this.#driver, vendorVersion: '1' }),
      getPluginCapabilities: async () => ({ capabilities: [{ service }] }),
      probe: async () => ({ ready: true }),
    };
  }

  /** Creates, lists, expands and deletes volumes. */
  controller(): ServiceHandlers<ControllerDefinition> {
    return {
      controllerPublishVolume: unable,
      controllerUnpublishVolume: unable,
      getCapacity: unable,
      createSnapshot: unable,
      deleteSnapshot: unable,
      listSnapshots: unable,
      controllerGetVolume: unable,
      controllerModifyVolume: unable,
      controllerGetCapabilities: async () => ({ capabilities: ABILITIES.map((type) => ({ rpc: { type } })) }),
      createVolume: async ({ name, capacityRange, volumeCapabilities }) => {
        required(name, 'name');
        requireCapabilities(volumeCapabilities);
        const { requiredBytes = 0, limitBytes = 0 } = capacityRange ?? {};
        const volume = this.#volumes.get(name) ?? {
          volumeId: `made-${name}`,
          capacityBytes: requiredBytes || DEFAULT_SIZE,
        };
        if (volume.capacityBytes < requiredBytes || (limitBytes > 0 && volume.capacityBytes > limitBytes))
          throw new RpcError('AlreadyExists', `${name} has another size`);
        this.#volumes.set(name, volume);
        return { volume };
      },
      deleteVolume: async ({ volumeId }) => {
        required(volumeId, 'volume id');
        this.#volumes.delete(volumeId.replace('made-', ''));
        return {};
      },
      validateVolumeCapabilities: async ({ volumeId, volumeCapabilities }) => {
        required(volumeId, 'volume id');
        requireCapabilities(volumeCapabilities);
        this.check(volumeId);
        return { confirmed: { volumeCapabilities } };
      },
      listVolumes: async ({ maxEntries, startingToken }) => this.#page(startingToken, maxEntries),
      controllerExpandVolume: async ({ volumeId, capacityRange }) => {
        required(volumeId, 'volume id');
        if (capacityRange === undefined) throw new RpcError('InvalidArgument', 'capacity range missing');
        this.check(volumeId);
        const capacityBytes = capacityRange.requiredBytes;
        this.#volumes.set(volumeId.replace('made-', ''), { volumeId, capacityBytes });
        return { capacityBytes, nodeExpansionRequired: true };
      },
    };
  }

  #all(): readonly Volume[] {
    return [...this.#volumes.values()];
  }

  #page(token: string, size: number) {
    const start = token === '' ? 0 : Number(token);
    if (!Number.isInteger(start) || start > this.#volumes.size) throw new RpcError('Aborted', `no page ${token}`);
    const end = size > 0 ? Math.min(start + size, this.#volumes.size) : this.#volumes.size;
    const entries = this.#all()
      .slice(start, end)
      .map((volume) => ({ volume }));
    return { entries, nextToken: end < this.#volumes.size ? String(end) : '' };
  }
}

const unable = (): Promise<never> => Promise.reject(new RpcError('Unimplemented', 'no ability of the driver'));

/** Throws InvalidArgument if a field is empty. */
export function required(value: unknown, field: string): void {
  if (value === '' || value === undefined) throw new RpcError('InvalidArgument', `${field} missing in request`);
}

function requireCapabilities(capabilities: readonly VolumeCapability[]): void {
  if (capabilities.length === 0) throw new RpcError('InvalidArgument', 'volume capabilities missing in request');
}
