import { RpcError } from '#lib/machinery/rpc.ts';
import type { CSIHost } from './host.ts';

/** Maximum number of mounts to unmount at one path. */
const MAX_MOUNTS = 16;

/**
 * Calls a driver to unmount a volume from a path. A driver that returns NotFound has deleted the volume and never unmounts it. In that case
 * the agent unmounts the path itself, so that the pod's directory and the attachment can be removed. CSI asks callers not to repeat a call
 * for a deleted volume, but upstream repeats it forever (kubernetes/kubernetes#101911). Throws with the driver's error, or with that of a
 * failed unmount.
 */
export async function takeOff({ host }: CSIHost, path: string, call: () => Promise<unknown>): Promise<void> {
  const { mounter } = host;
  try {
    await call();
  } catch (error) {
    if (!(error instanceof RpcError && error.code === 'NotFound')) throw error;
    // A republished volume has several mounts at its path.
    for (let left = MAX_MOUNTS; left > 0 && (await mounter.isMountPoint(path)) === true; left--)
      await mounter.unmount(path);
    if ((await mounter.isMountPoint(path)) === true) throw error;
  }
}
