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
}

/** Properties of a mounted volume. */
export interface VolumeAttributes {
  readonly readOnly: boolean;
  /** Whether the kubelet owns the content, and so may change its owner. */
  readonly managed: boolean;
  readonly seLinuxRelabel: boolean;
}

/** One volume of one pod, about to be set up. */
export interface VolumeMounter {
  /** The path on the host that containers mount. */
  readonly path: string;
  readonly attributes: VolumeAttributes;
  /** Brings the volume to its path, or refreshes it. Throws with the reason for the event. */
  setUp(args: MounterArgs): Promise<void>;
}

/** A device that pods of a node share: mounted once below the plugin's folder, then bound for each pod. */
export interface DevicePlugin {
  /** Where the device of a volume is mounted. Throws where its path is neither folder nor device. */
  deviceMountPath(spec: VolumeSpec): Promise<string>;
  /** Mounts it, if it is not mounted. */
  mountDevice(spec: VolumeSpec, deviceMountPath: string): Promise<void>;
  /** Undoes it by the name of the volume's spec; nothing where no device is mounted. Throws while something else uses the mount. */
  unmountDevice(volumeName: string): Promise<void>;
}

/** Volumes as devices in containers. */
export interface BlockPlugin {
  /** The path of the device in the pod's folder, which is a link to it. Throws where it is no device. */
  mapDevice(spec: VolumeSpec, podUid: string): Promise<string>;
  unmapDevice(volumeName: string, podUid: string): Promise<void>;
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
  canSupport(spec: VolumeSpec): boolean;
  /** Throws where the volume cannot be set up at all. */
  mounter(spec: VolumeSpec, pod: Pod): Promise<VolumeMounter>;
  /** Removes a volume from a pod's folder; nothing where it is not there. `volumeName`: the name of its spec. */
  tearDown(volumeName: string, podUid: string): Promise<void>;
}

/** The plugin that supports a volume. Throws where none does. */
export function findPlugin(plugins: readonly VolumePlugin[], spec: VolumeSpec): VolumePlugin {
  const [plugin, ...others] = plugins.filter((candidate) => candidate.canSupport(spec));
  if (plugin === undefined) throw new Error('no volume plugin matched');
  if (others.length === 0) return plugin;
  throw new Error(`multiple volume plugins matched: ${[plugin, ...others].map(({ name }) => name).join(',')}`);
}

/** The plugin of this name. Throws where there is none. */
export function findPluginByName(plugins: readonly VolumePlugin[], name: string): VolumePlugin {
  const plugin = plugins.find((candidate) => candidate.name === name);
  if (plugin === undefined) throw new Error(`no volume plugin matched name: ${name}`);
  return plugin;
}
