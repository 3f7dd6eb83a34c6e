import type { PersistentVolume, Pod, Volume } from '#lib/api/types/core.v1.ts';

/** A volume of a pod: the pod's own, or the persistent volume of its claim. */
export interface VolumeSpec {
  /** The volume's name in the pod's spec, or the persistent volume's name. */
  readonly name: string;
  readonly volume?: Volume;
  readonly persistentVolume?: PersistentVolume;
  /** Whether the pod's claim source is read-only. */
  readonly readOnly: boolean;
}

/** The pod's parameters for a set-up. */
export interface MounterArgs {
  /** The user of all containers. Undefined if they differ or do not specify one. */
  readonly fsUser?: number;
  readonly fsGroup?: number;
  readonly fsGroupChangePolicy?: string;
  /** Whether the pod may already use the volume. */
  readonly isRemount?: boolean;
}

/** Properties of a mounted volume. */
export interface VolumeAttributes {
  readonly readOnly: boolean;
  /** Whether the kubelet manages the content, and may therefore change its owner. */
  readonly managed: boolean;
  readonly seLinuxRelabel: boolean;
  /** Whether this volume is set up again at each sync. Known after a set-up. */
  readonly republish?: boolean;
}

/** The usage of a volume. */
export interface VolumeUsage {
  readonly availableBytes: bigint;
  readonly capacityBytes: bigint;
  readonly usedBytes: bigint;
  readonly inodesFree: bigint;
  readonly inodes: bigint;
  readonly inodesUsed: bigint;
}

/** Returns the usage of a volume, or undefined if it is unknown. Throws if it cannot be measured now. */
export type VolumeMeter = () => Promise<VolumeUsage | undefined>;

/** One volume of one pod that is about to be set up. */
export interface VolumeMounter {
  /** The host path that containers mount. */
  readonly path: string;
  readonly attributes: VolumeAttributes;
  /** Sets up or refreshes the volume at its path. Throws with the reason for the event. */
  setUp(args: MounterArgs): Promise<void>;
  /** If absent, the usage is measured from its files or its file system. */
  readonly stats?: VolumeMeter;
}

/** A device that an earlier process left on the host. */
export interface LeftDevice {
  /** The plugin's `sharedName` of the device. */
  readonly sharedName: string;
  /** The mount path, or the name of the spec for a block volume. */
  readonly path: string;
}

/** A device that pods of a node share. It is mounted once below the plugin's directory, then bound for each pod. */
export interface DevicePlugin {
  /** Whether a volume of the plugin has a device. If absent, all have one. */
  canMount?(spec: VolumeSpec): boolean;
  /** The mount path of a volume's device. Throws if its path is neither a directory nor a device. */
  deviceMountPath(spec: VolumeSpec): Promise<string>;
  /** Mounts the device, unless it is mounted. */
  mountDevice(spec: VolumeSpec, deviceMountPath: string, args: MounterArgs): Promise<void>;
  /**
   * Unmounts the device. Does nothing if it is not mounted. Finds the volume by the name of its spec, and by its path if this process
   * mounted the device or found it on disk. Throws while something else uses the mount.
   */
  unmountDevice(volumeName: string, deviceMountPath?: string): Promise<void>;
  /** All devices that remain on the host. If absent, they are found via the pods' directories. */
  devicesOnDisk?(): Promise<readonly LeftDevice[]>;
}

/** Volumes as devices in containers. */
export interface BlockPlugin {
  /** Prepares the device for all pods of the node, before the first one uses it. */
  setUpDevice?(spec: VolumeSpec): Promise<void>;
  /** The path of the device in the pod's directory, which is a link to the device. Throws if it is not a device. */
  mapDevice(spec: VolumeSpec, pod: Pod): Promise<string>;
  unmapDevice(volumeName: string, podUid: string): Promise<void>;
  /** If absent, the usage is unknown. */
  stats?(spec: VolumeSpec, pod: Pod): VolumeMeter;
  /** Undoes `setUpDevice`, after no pod uses the device any more. */
  tearDownDevice?(volumeName: string): Promise<void>;
  /** Same contract as in `DevicePlugin`. */
  devicesOnDisk?(): Promise<readonly LeftDevice[]>;
}

/** Volumes that are attached to a node before they are mounted there. */
export interface AttachPlugin {
  canAttach(spec: VolumeSpec): Promise<boolean>;
  /** Resolves when the volume is attached. Throws with the reason if that fails. */
  waitForAttach(spec: VolumeSpec): Promise<void>;
  /** Whether the volume is not attached because the node has too many. Never rejects. If absent, this is unknown. */
  verifyExhaustedResource?(spec: VolumeSpec): Promise<boolean>;
}

/** A mounted volume whose file system or device must be expanded on its node. Sizes are quantities. */
export interface Expansion {
  readonly spec: VolumeSpec;
  readonly pod: Pod;
  readonly block: boolean;
  readonly newSize: string;
  readonly oldSize: string;
}

/** One type of volume (upstream: volume.VolumePlugin). */
export interface VolumePlugin {
  /** A name such as `kubernetes.io/configmap`. */
  readonly name: string;
  /** Whether the content depends on objects that change, so that it is set up again at each sync. */
  readonly requiresRemount: boolean;
  readonly supportsMountOptions: boolean;
  readonly device?: DevicePlugin;
  readonly block?: BlockPlugin;
  readonly attach?: AttachPlugin;
  canSupport(spec: VolumeSpec): boolean;
  /**
   * The name by which pods share a volume, or undefined if it belongs to one pod. If absent, it is the name of its spec for plugins with
   * devices.
   */
  sharedName?(spec: VolumeSpec): string | undefined;
  /**
   * The spec of a volume in a pod's directory, with the parts that its removal needs. If absent, its name is sufficient. Throws if the disk
   * lacks the information.
   */
  reconstruct?(volumeName: string, podUid: string, block: boolean): Promise<VolumeSpec>;
  /** Expands a mounted volume. Throws ExpansionError. If absent, its volumes need no expansion on the node. */
  expand?(expansion: Expansion): Promise<void>;
  /** Throws if the volume can never be set up. */
  mounter(spec: VolumeSpec, pod: Pod): Promise<VolumeMounter>;
  /** Removes a volume from a pod's directory. Does nothing if it does not exist. `volumeName` is the name of its spec. */
  tearDown(volumeName: string, podUid: string): Promise<void>;
}

/** Volume types that upstream mounts itself and this node does not support, with their names in the message. */
const UNSUPPORTED = { iscsi: 'iSCSI', fc: 'Fibre Channel', gitRepo: 'gitRepo' } as const;

function unsupportedOf({ volume, persistentVolume }: VolumeSpec): string {
  const found = Object.entries({ ...persistentVolume?.spec, ...volume }).find(([name]) =>
    Object.hasOwn(UNSUPPORTED, name),
  );
  const type = Object.entries(UNSUPPORTED).find(([name]) => name === found?.[0])?.[1];
  return type === undefined ? '' : `: this node mounts no ${type} volumes; a CSI driver can`;
}

/** The plugin that supports a volume. Throws if there is none. */
export function findPlugin(plugins: readonly VolumePlugin[], spec: VolumeSpec): VolumePlugin {
  const [plugin, ...others] = plugins.filter((candidate) => candidate.canSupport(spec));
  if (plugin === undefined) throw new Error(`no volume plugin matched${unsupportedOf(spec)}`);
  if (others.length === 0) return plugin;
  throw new Error(`multiple volume plugins matched: ${[plugin, ...others].map(({ name }) => name).join(',')}`);
}

/** The plugin with this name. Throws if it does not exist. */
export function findPluginByName(plugins: readonly VolumePlugin[], name: string): VolumePlugin {
  const plugin = plugins.find((candidate) => candidate.name === name);
  if (plugin === undefined) throw new Error(`no volume plugin matched name: ${name}`);
  return plugin;
}
