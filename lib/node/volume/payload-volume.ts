import type { Pod } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { type Payload, planWrite } from './atomic-writer.ts';
import { setUpEmptyDir, tearDownEmptyDir } from './emptydir/empty-dir.ts';
import { podVolumeDir } from './folders.ts';
import type { VolumeHost } from './host.ts';
import { joinPath } from './mount/path.ts';
import { nestedMountPoints } from './nested-mount-points.ts';
import type { MounterArgs, VolumeMounter, VolumePlugin, VolumeSpec } from './volume.ts';

/** A type of volume whose files come from the API. */
export interface PayloadSource {
  /** A name such as `kubernetes.io/configmap`. */
  readonly name: string;
  /** `Memory` for content that must never be on a disk. */
  readonly medium: '' | 'Memory';
  canSupport(spec: VolumeSpec): boolean;
  /** Returns the files. Throws if they are unavailable. */
  collect(spec: VolumeSpec, pod: Pod, args: MounterArgs): Promise<Payload>;
  /** Called after a volume of the pod was removed. */
  forget?(podUid: string): void;
}

/** The plugin for volumes with a payload: a wrapped emptyDir whose files change atomically, and are updated at each sync. */
export const payloadPlugin = (host: VolumeHost, source: PayloadSource): VolumePlugin => ({
  name: source.name,
  requiresRemount: true,
  supportsMountOptions: false,
  canSupport: (spec) => source.canSupport(spec),
  mounter: async (spec, pod) => mounter(host, source, spec, pod),
  tearDown: async (volumeName, podUid) => {
    await tearDown(host, source, volumeName, podUid);
    source.forget?.(podUid);
  },
});

const pathOf = (host: VolumeHost, source: PayloadSource, volumeName: string, uid: string): string =>
  podVolumeDir(host.rootDirectory, uid, source.name, volumeName);

const tearDown = (host: VolumeHost, source: PayloadSource, volumeName: string, uid: string): Promise<void> =>
  tearDownEmptyDir(host, { uid, volumeName: wrapped(volumeName), path: pathOf(host, source, volumeName, uid) });

const wrapped = (volumeName: string): string => `wrapped_${volumeName}`;

function mounter(host: VolumeHost, source: PayloadSource, spec: VolumeSpec, pod: Pod): VolumeMounter {
  const uid = pod.metadata.uid ?? '';
  const path = pathOf(host, source, spec.name, uid);
  const setUp = async (args: MounterArgs): Promise<void> => {
    const payload = await source.collect(spec, pod, args); // before the directory is created, so that a failure keeps the previous content
    const folder = { pod, volumeName: wrapped(spec.name), path, medium: source.medium };
    await setUpEmptyDir(host, folder, args);
    for (const nested of nestedMountPoints(spec.name, pod)) await makeNested(host, joinPath(path, nested));
    try {
      await write(host, path, payload, args);
    } catch (error) {
      await tearDown(host, source, spec.name, uid);
      throw error;
    }
  };
  return { path, attributes: { readOnly: true, managed: true, seLinuxRelabel: true }, setUp };
}

async function makeNested(host: VolumeHost, path: string): Promise<void> {
  try {
    await host.files.makeFolder(path, 0o755);
  } catch (error) {
    throw new Error(`unable to create nested volume mountpoints: ${messageOfError(error)}`, { cause: error });
  }
}

async function write(host: VolumeHost, path: string, payload: Payload, { fsGroup }: MounterArgs): Promise<void> {
  const plan = planWrite(payload, await host.files.projection(path), host.clock.now());
  await host.files.writeProjection(path, plan, async () => {
    if (fsGroup !== undefined) await host.files.changeOwnership(path, { fsGroup, readOnly: true });
  });
}
