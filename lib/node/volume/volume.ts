import type { PersistentVolume, Pod, Volume } from '#lib/api/types/core.v1.ts';

/** A volume of a pod: its own, or the persistent volume behind its claim. */
export interface VolumeSpec {
  /** The volume's name in the pod's spec, or the persistent volume's name. */
  readonly name: string;
  readonly volume?: Volume;
  readonly persistentVolume?: PersistentVolume;
  /** Whether the pod's claim source says that it only reads. */
  readonly readOnly: boolean;
}

/** The pod's part in a set-up. */
export interface MounterArgs {
  /** The one user of all containers; undefined where they differ or do not say. */
  readonly fsUser?: number;
  readonly fsGroup?: number;
  readonly fsGroupChangePolicy?: string;
  /** Whether the pod may use the volume already. */
  readonly isRemount?: boolean;
}

/** Properties of a mounted volume. */
export interface VolumeAttributes {
  readonly readOnly: boolean;
  /** Whether the kubelet owns the content, and so may change its owner. */
  readonly managed: boolean;
  readonly seLinuxRelabel: boolean;
  /** Whether this volume is set up again at each sync; known after a set-up. */
  readonly republish?: boolean;
}

/** The use of a volume. */
export interface VolumeUsage {
  readonly availableBytes: bigint;
  readonly capacityBytes: bigint;
  readonly usedBytes: bigint;
  readonly inodesFree: bigint;
  readonly inodes: bigint;
  readonly inodesUsed: bigint;
}

/** Tells the use of a volume; undefined where nobody knows it. Throws where it cannot be asked now. */
export type VolumeMeter = () => Promise<VolumeUsage | undefined>;

/** One volume of one pod, about to be set up. */
export interface VolumeMounter {
  /** The path on the host that containers mount. */
  readonly path: string;
  readonly attributes: VolumeAttributes;
  /** Brings the volume to its path, or refreshes it. Throws with the reason for the event. */
  setUp(args: MounterArgs): Promise<void>;
  /** Absent: its files or its file system tell the use. */
  readonly stats?: VolumeMeter;
}

/** A device that an earlier process has left on the host. */
export interface LeftDevice {
  /** As the plugin's `sharedName` of it. */
  readonly sharedName: string;
  /** Where it is mounted; of a block volume the name of its spec. */
  readonly path: string;
}

/** A device that pods of a node share: mounted once below the plugin's folder, then bound for each pod. */
export interface DevicePlugin {
  /** Whether a volume of the plugin has a device; absent: all have. */
  canMount?(spec: VolumeSpec): boolean;
  /** Where the device of a volume is mounted. Throws where its path is neither folder nor device. */
  deviceMountPath(spec: VolumeSpec): Promise<string>;
  /** Mounts it, if it is not mounted. */
  mountDevice(spec: VolumeSpec, deviceMountPath: string, args: MounterArgs): Promise<void>;
  /**
   * Undoes it; nothing where no device is mounted. The volume is known by the name of its spec, and where the device was mounted by this process
   * or found on disk by that path. Throws while something else uses the mount.
   */
  unmountDevice(volumeName: string, deviceMountPath?: string): Promise<void>;
  /** Devices that are left on the host, whoever mounted them. Absent: they are found by the pods' folders. */
  devicesOnDisk?(): Promise<readonly LeftDevice[]>;
}

/** Volumes as devices in containers. */
export interface BlockPlugin {
  /** Prepares the device for all pods of the node, before the first is given it. */
  setUpDevice?(spec: VolumeSpec): Promise<void>;
  /** The path of the device in the pod's folder, which is a link to it. Throws where it is no device. */
  mapDevice(spec: VolumeSpec, pod: Pod): Promise<string>;
  unmapDevice(volumeName: string, podUid: string): Promise<void>;
  /** Absent: nobody knows the use. */
  stats?(spec: VolumeSpec, pod: Pod): VolumeMeter;
  /** Undoes `setUpDevice`, when no pod has the device any more. */
  tearDownDevice?(volumeName: string): Promise<void>;
  /** As of a `DevicePlugin`. */
  devicesOnDisk?(): Promise<readonly LeftDevice[]>;
}

/** Volumes that are attached to a node before they are mounted there. */
export interface AttachPlugin {
  canAttach(spec: VolumeSpec): Promise<boolean>;
  /** Resolves when the volume is attached. Throws with the reason where it is not. */
  waitForAttach(spec: VolumeSpec): Promise<void>;
  /** Whether the volume is not attached because the node has too many. Never rejects. Absent: nobody can tell. */
  verifyExhaustedResource?(spec: VolumeSpec): Promise<boolean>;
}

/** A mounted volume whose file system or device has to grow on its node. Sizes are quantities. */
export interface Expansion {
  readonly spec: VolumeSpec;
  readonly pod: Pod;
  readonly block: boolean;
  readonly newSize: string;
  readonly oldSize: string;
}

/** One type of volume (upstream: volume.VolumePlugin). */
export interface VolumePlugin {
  /** As `kubernetes.io/configmap`. */
  readonly name: string;
  /** Whether the content follows objects that change: it is set up again at each sync. */
  readonly requiresRemount: boolean;
  readonly supportsMountOptions: boolean;
  readonly device?: DevicePlugin;
  readonly block?: BlockPlugin;
  readonly attach?: AttachPlugin;
  canSupport(spec: VolumeSpec): boolean;
  /** The name by which pods share a volume; undefined of one that is the pod's own. Absent: the name of its spec where the plugin has devices. */
  sharedName?(spec: VolumeSpec): string | undefined;
  /** The spec of a volume in a pod's folder, as far as its removal needs it. Absent: its name will do. Throws where the disk does not tell. */
  reconstruct?(volumeName: string, podUid: string, block: boolean): Promise<VolumeSpec>;
  /** Has a mounted volume grow. Throws ExpansionError. Absent: its volumes need nothing done on the node. */
  expand?(expansion: Expansion): Promise<void>;
  /** Throws where the volume cannot be set up at all. */
  mounter(spec: VolumeSpec, pod: Pod): Promise<VolumeMounter>;
  /** Removes a volume from a pod's folder; nothing where it is not there. `volumeName`: the name of its spec. */
  tearDown(volumeName: string, podUid: string): Promise<void>;
}

/** Types of volumes that upstream mounts itself and this node does not, by what the message calls them. */
const UNSUPPORTED = { iscsi: 'iSCSI', fc: 'Fibre Channel', gitRepo: 'gitRepo' } as const;

function unsupportedOf({ volume, persistentVolume }: VolumeSpec): string {
  const found = Object.entries({ ...persistentVolume?.spec, ...volume }).find(([name]) =>
    Object.hasOwn(UNSUPPORTED, name),
  );
  const type = Object.entries(UNSUPPORTED).find(([name]) => name === found?.[0])?.[1];
  return type === undefined ? '' : `: this node mounts no ${type} volumes; a CSI driver can`;
}

/** The plugin that supports a volume. Throws where none does. */
export function findPlugin(plugins: readonly VolumePlugin[], spec: VolumeSpec): VolumePlugin {
  const [plugin, ...others] = plugins.filter((candidate) => candidate.canSupport(spec));
  if (plugin === undefined) throw new Error(`no volume plugin matched${unsupportedOf(spec)}`);
  if (others.length === 0) return plugin;
  throw new Error(`multiple volume plugins matched: ${[plugin, ...others].map(({ name }) => name).join(',')}`);
}

/** The plugin of this name. Throws where there is none. */
export function findPluginByName(plugins: readonly VolumePlugin[], name: string): VolumePlugin {
  const plugin = plugins.find((candidate) => candidate.name === name);
  if (plugin === undefined) throw new Error(`no volume plugin matched name: ${name}`);
  return plugin;
}
