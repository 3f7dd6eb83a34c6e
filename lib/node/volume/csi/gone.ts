import { RpcError } from '#lib/machinery/rpc.ts';
import type { CSIHost } from './host.ts';

/** Mounts at one path that are taken off at most. */
const MAX_MOUNTS = 16;

/**
 * Has a driver take a volume off a path. A driver that answers NotFound has deleted the volume and takes nothing off, however often it is asked: the agent
 * unmounts the path itself then, so that the pod's folder and the attachment go. CSI asks callers not to repeat a call about a deleted volume; upstream
 * repeats it for ever (kubernetes/kubernetes#101911). Throws with the driver's reason, or with that of an unmount that fails.
 */
export async function takeOff({ host }: CSIHost, path: string, call: () => Promise<unknown>): Promise<void> {
  const { mounter } = host;
  try {
    await call();
  } catch (error) {
    if (!(error instanceof RpcError && error.code === 'NotFound')) throw error;
    // A volume that was published again has several mounts at its path.
    for (let left = MAX_MOUNTS; left > 0 && (await mounter.isMountPoint(path)) === true; left--)
      await mounter.unmount(path);
    if ((await mounter.isMountPoint(path)) === true) throw error;
  }
}
