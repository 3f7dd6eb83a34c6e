import { messageOfError } from '#lib/machinery/error-message.ts';
import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import { podVolumeDir } from '../folders.ts';
import { joinPath } from '../mount/path.ts';
import type { DevicePlugin, Expansion, VolumeSpec } from '../volume.ts';
import type { FlexDriver } from './driver-call.ts';
import type { FlexHost } from './host.ts';
import { driverOptions, isReadOnly, sourceOf } from './source.ts';

/** The directory of a driver's mounts that pods share. */
const mountsDir = ({ host }: FlexHost, driver: string): string =>
  joinPath(host.rootDirectory, 'plugins/kubernetes.io/flexvolume', driver, 'mounts');

/** The mount path of a volume's device. Like upstream, it requests the volume's name from the driver and ignores the result. */
export async function deviceMountPath(flex: FlexHost, driver: FlexDriver, spec: VolumeSpec): Promise<string> {
  await driver.callIfSupported('getvolumename', driverOptions(spec)).catch((error: unknown) => {
    throw new Error(`GetVolumeName failed from getDeviceMountPath: ${messageOfError(error)}`, { cause: error });
  });
  return joinPath(mountsDir(flex, driver.name), spec.name);
}

/** Devices of a driver that attaches volumes. The node attaches and detaches them itself, because no controller has the driver. */
export class FlexDevices implements DevicePlugin {
  readonly #flex: FlexHost;
  readonly #driver: FlexDriver;
  /** Devices that this process attached, by the name of the volume's spec. */
  readonly #attached = new Map<string, string>();

  constructor(flex: FlexHost, driver: FlexDriver) {
    this.#flex = flex;
    this.#driver = driver;
  }

  deviceMountPath(spec: VolumeSpec): Promise<string> {
    return deviceMountPath(this.#flex, this.#driver, spec);
  }

  async mountDevice(spec: VolumeSpec, path: string): Promise<void> {
    const { mounter, files } = this.#flex.host;
    await files.makeFolder(path, 0o750); // first, because it marks the volume as attached for a later process
    const device = await this.#attach(spec);
    if ((await mounter.isMountPoint(path)) === true) return;
    const answer = await this.#driver.callIfSupported('mountdevice', path, device, driverOptions(spec));
    if (answer !== undefined || device === '') return;
    const fsType = sourceOf(spec)?.fsType ?? '';
    const options = [isReadOnly(spec) ? 'ro' : 'rw'];
    await mounter.formatAndMount({ source: device, target: path, fsType, options });
  }

  /** The directory is removed last. After a crash, it shows the next process that the volume must be detached. */
  async unmountDevice(volumeName: string, given?: string): Promise<void> {
    const { host, node } = this.#flex;
    const path = given ?? joinPath(mountsDir(this.#flex, this.#driver.name), volumeName);
    if ((await host.files.fileType(path)) !== undefined) {
      if ((await host.mounter.isMountPoint(path)) === true) await this.#unmount(path);
    } else if (!this.#attached.has(volumeName)) return;
    const [name = volumeName] = path.split('/').slice(-1);
    await this.#driver.callIfSupported('detach', name, node);
    this.#attached.delete(name);
    await this.#flex.remove(path);
  }

  async devicesOnDisk(): ReturnType<NonNullable<DevicePlugin['devicesOnDisk']>> {
    const folder = mountsDir(this.#flex, this.#driver.name);
    return (await this.#flex.list(folder)).map((name) => ({ sharedName: name, path: joinPath(folder, name) }));
  }

  /** The device of a volume, or '' if the driver reports none. */
  async device(spec: VolumeSpec): Promise<string> {
    return this.#attached.get(spec.name) ?? (await this.#attach(spec));
  }

  async #attach(spec: VolumeSpec): Promise<string> {
    const options = driverOptions(spec);
    const known = this.#attached.get(spec.name);
    if (known !== undefined) {
      const answer = await this.#driver.callIfSupported('isattached', options, this.#flex.node);
      if (answer?.attached !== false) return known;
    }
    const told = (await this.#driver.callIfSupported('attach', options, this.#flex.node))?.device ?? '';
    const device = (await this.#driver.callIfSupported('waitforattach', told, options))?.device ?? told;
    this.#attached.set(spec.name, device);
    return device;
  }

  async #unmount(path: string): Promise<void> {
    const { mounter, files } = this.#flex.host;
    const refs = await mounter.mountRefs(path);
    if (refs.length > 0)
      throw new Error(
        `the device mount path ${JSON.stringify(path)} is still mounted by other references [${refs.join(' ')}]`,
      );
    const answer = await this.#driver.callIfSupported('unmountdevice', path);
    if (answer === undefined) await mounter.unmount(path);
    if ((await files.fileType(path)) !== undefined && (await mounter.isMountPoint(path)) === true)
      throw new Error(`${this.#driver.name} has not unmounted ${path}`);
  }
}

/** Calls the driver to expand a volume and then its file system. If it lacks those calls, the host expands the file system. */
export async function flexExpand(
  { flex, driver, devices }: { readonly flex: FlexHost; readonly driver: FlexDriver; readonly devices?: FlexDevices },
  { spec, pod, newSize, oldSize }: Expansion,
): Promise<void> {
  const options = driverOptions(spec);
  const sizes = [String(wholeValue(newSize)), String(wholeValue(oldSize))];
  await driver.callIfSupported('expandvolume', options, await deviceMountPath(flex, driver, spec), ...sizes);
  const device = (await devices?.device(spec)) ?? '';
  const path = podVolumeDir(flex.host.rootDirectory, pod.metadata.uid ?? '', driver.name, spec.name);
  const answer = await driver.callIfSupported('expandfs', options, device, path, ...sizes);
  if (answer === undefined) await flex.host.mounter.resizeFs(device, path);
}
