import type { Pod } from '#lib/api/types/core.v1.ts';
import { podVolumeDir } from '../folders.ts';
import type { MounterArgs, VolumeMounter, VolumePlugin, VolumeSpec } from '../volume.ts';
import { deviceMountPath, FlexDevices, flexExpand } from './device.ts';
import type { FlexDriver } from './driver-call.ts';
import type { DriverStatus } from './driver-status.ts';
import type { FlexHost } from './host.ts';
import { driverOptions, isReadOnly, mountOptions, sourceOf } from './source.ts';

interface Flex {
  readonly flex: FlexHost;
  readonly driver: FlexDriver;
  readonly capabilities: DriverStatus['capabilities'];
}

/** Reads a driver's capabilities and creates the plugin for its volumes. Throws if `init` fails. */
export async function flexVolumePlugin(flex: FlexHost, driver: FlexDriver): Promise<VolumePlugin> {
  const { capabilities } = await driver.call('init');
  const own = { flex, driver, capabilities };
  const devices = capabilities.attach ? new FlexDevices(flex, driver) : undefined;
  const expanding = devices === undefined ? { flex, driver } : { flex, driver, devices };
  return {
    name: driver.name,
    requiresRemount: false,
    supportsMountOptions: false,
    ...(devices === undefined ? {} : { device: devices }),
    ...(capabilities.requiresfsresize ? { expand: (expansion) => flexExpand(expanding, expansion) } : {}),
    canSupport: (spec) => sourceOf(spec)?.driver === driver.name,
    mounter: async (spec, pod) => mounter(own, spec, pod),
    tearDown: (volumeName, uid) => tearDown(own, podVolumeDir(flex.host.rootDirectory, uid, driver.name, volumeName)),
  };
}

function mounter(own: Flex, spec: VolumeSpec, pod: Pod): VolumeMounter {
  const { flex, driver, capabilities } = own;
  const path = podVolumeDir(flex.host.rootDirectory, pod.metadata.uid ?? '', driver.name, spec.name);
  const readOnly = isReadOnly(spec);
  return {
    path,
    attributes: { readOnly, managed: !readOnly, seLinuxRelabel: capabilities.selinuxrelabel },
    ...(capabilities.supportsmetrics ? {} : { stats: async () => undefined }),
    setUp: (args) => setUp(own, { spec, pod, path }, args),
  };
}

interface Target {
  readonly spec: VolumeSpec;
  readonly pod: Pod;
  readonly path: string;
}

async function setUp(own: Flex, { spec, pod, path }: Target, args: MounterArgs): Promise<void> {
  const { flex, driver, capabilities } = own;
  const { mounter: mounts, files } = flex.host;
  if ((await mounts.isMountPoint(path)) === true) return;
  await files.makeFolder(path, 0o750);
  try {
    const options = driverOptions(spec, await mountOptions(flex, { spec, pod, driver: driver.name }, args));
    if ((await driver.callIfSupported('mount', path, options)) === undefined)
      await mounts.mount({
        source: await deviceMountPath(flex, driver, spec),
        target: path,
        fsType: '',
        options: ['bind'],
      });
  } catch (error) {
    await flex.remove(path).catch(() => undefined); // the driver's error is reported instead
    throw error;
  }
  if (isReadOnly(spec) || !capabilities.fsgroup || args.fsGroup === undefined) return;
  const { fsGroup, fsGroupChangePolicy: policy } = args;
  const change = { fsGroup, readOnly: false, ...(policy === undefined ? {} : { policy }) };
  await files.changeOwnership(path, change).catch(() => undefined); // like upstream, the pod starts anyway
}

async function tearDown({ flex, driver }: Flex, path: string): Promise<void> {
  const { files } = flex.host;
  if ((await files.fileType(path).catch(() => 'Directory')) === undefined) return;
  if ((await driver.callIfSupported('unmount', path)) === undefined) return files.cleanUpMountPoint(path);
  return flex.remove(path);
}
