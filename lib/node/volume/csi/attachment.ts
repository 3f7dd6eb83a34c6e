import type { VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import type { VolumeSpec } from '../volume.ts';
import type { CSIHost } from './host.ts';
import { attachmentName, CSI_TIMEOUT } from './names.ts';
import { persistentSource, sourceOf } from './source.ts';

/** Interval in ms between two checks of a pending attachment. */
const INTERVAL = 2000;

/** Whether a driver's volumes are attached to nodes before they are mounted. */
export async function requiresAttach({ csiDriver }: CSIHost, driver: string): Promise<boolean> {
  return (await csiDriver(driver))?.spec.attachRequired !== false;
}

/** Whether a volume is attached to nodes. */
export async function canAttach(csi: CSIHost, spec: VolumeSpec): Promise<boolean> {
  const found = sourceOf(spec);
  return found?.mode === 'Persistent' && (await requiresAttach(csi, found.source.driver));
}

/** The attacher's metadata for the node, or undefined if the driver does not attach volumes. Throws if the attachment does not exist. */
export async function publishContext(
  csi: CSIHost,
  spec: VolumeSpec,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { driver, volumeHandle } = persistentSource(spec);
  if (!(await requiresAttach(csi, driver))) return undefined;
  const attachment = await csi.attachment(attachmentName(volumeHandle, driver, csi.node));
  return attachment.status.attachmentMetadata ?? {};
}

/** The gRPC code that a driver returns if the node has too many volumes. */
const RESOURCE_EXHAUSTED = 8;

/**
 * Whether the attacher failed because the node has too many volumes, for drivers whose CSIDriver has an update period. The node's limit is
 * then requested from the driver again. Never rejects: it returns false if the reason is unknown.
 */
export async function verifyExhaustedResource(csi: CSIHost, spec: VolumeSpec): Promise<boolean> {
  try {
    const { driver, volumeHandle } = persistentSource(spec);
    const seconds = (await csi.csiDriver(driver))?.spec.nodeAllocatableUpdatePeriodSeconds ?? 0;
    if (Number(seconds) === 0) return false;
    const { status } = await csi.attachment(attachmentName(volumeHandle, driver, csi.node));
    if (status.attachError?.errorCode !== RESOURCE_EXHAUSTED) return false;
    await csi.updateNode(driver).catch(() => undefined); // the next period retries
    return true;
  } catch {
    return false;
  }
}

/** Waits up to two minutes until the volume is attached. Throws with the attacher's reason if it failed. */
export async function waitForAttach(csi: CSIHost, spec: VolumeSpec): Promise<void> {
  const { driver, volumeHandle } = persistentSource(spec);
  const name = attachmentName(volumeHandle, driver, csi.node);
  const { clock } = csi.host;
  const end = clock.monotonic() + CSI_TIMEOUT;
  while (!isAttached(await attachmentOf(csi, volumeHandle, name))) {
    if (clock.monotonic() >= end)
      throw new Error(`volume ${volumeHandle} is not attached for volume attachment ${name}`);
    await clock.sleep(INTERVAL);
  }
}

async function attachmentOf(csi: CSIHost, volumeHandle: string, name: string): Promise<VolumeAttachment> {
  try {
    return await csi.attachment(name);
  } catch (error) {
    const what = `volume ${volumeHandle} has GET error for volume attachment ${name}: ${messageOfError(error)}`;
    throw new Error(what, { cause: error });
  }
}

/** Whether an attachment is attached. Throws if it failed or is being deleted. */
function isAttached(attachment: VolumeAttachment): boolean {
  const { status } = attachment;
  if (isDeleting(attachment)) throw new Error('volume attachment is being deleted');
  if (status.attached) return true;
  if (status.attachError === undefined) return false;
  throw new Error(status.attachError.message ?? '');
}
