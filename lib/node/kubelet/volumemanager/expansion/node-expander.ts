import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import { faultOf } from '#lib/node/volume/expansion.ts';
import type { EventSubject, NodeEventRecorder } from '../../events/recorder.ts';
import type { VolumeToMount } from '../volume-to-mount.ts';
import { claimedSize, failed, finished, infeasible, inProgress, resizeStatusOf, STORAGE } from './claim-status.ts';
import type { VolumeSizes } from './volume-sizes.ts';

const NOT_REQUIRED = 'volume.kubernetes.io/node-expansion-not-required';
/** States in which the controller has finished its part and the node has to act. */
const ON_NODE = ['NodeResizePending', 'NodeResizeInProgress'];

/** The context of an expansion. */
export interface ExpansionContext {
  now(): number;
  readonly sizes: VolumeSizes;
  readonly recorder: NodeEventRecorder;
  /** Reads a claim from the server. Undefined if it does not exist. Throws if the server is unavailable. */
  claim(namespace: string, name: string): Promise<PersistentVolumeClaim | undefined>;
  /** Changes the status of the claim, unless the claim has changed meanwhile. Returns the new claim. */
  patchStatus(claim: PersistentVolumeClaim, status: JsonObject): Promise<PersistentVolumeClaim>;
  /** Logs failures that no event reports. */
  log(message: string): void;
}

/** The result of an expansion: whether it has finished, and the size. */
export interface Expanded {
  readonly isFinished: boolean;
  readonly size: string;
}

interface Attempt {
  readonly context: ExpansionContext;
  readonly volume: VolumeToMount;
  readonly claim: PersistentVolumeClaim;
  readonly newSize: string;
  readonly oldSize: string;
}

/** Expands a volume that is being mounted, before its pod may use it. Throws with the reason if it fails. */
export async function expandDuringMount(context: ExpansionContext, volume: VolumeToMount): Promise<void> {
  const { plugin, spec, sizes } = volume;
  if (plugin.expand === undefined || sizes === undefined) return;
  if (compareQuantities(sizes.claimed, sizes.desired) >= 0) return;
  const claim = await claimFor(context, volume);
  const oldSize = claimedSize(claim);
  if (compareQuantities(oldSize, sizes.desired) >= 0) return;
  if (spec.readOnly) tellReadOnly(context, volume, claim);
  else await attempt({ context, volume, claim, newSize: sizes.desired, oldSize });
}

/** Expands a volume in use from its old size. Throws with the text of the event if it fails. */
export async function expandInUse(context: ExpansionContext, volume: VolumeToMount, oldSize: string): Promise<void> {
  const { sizes, unique, spec } = volume;
  if (sizes === undefined) return;
  try {
    const claim = await claimFor(context, volume);
    const { isFinished, size } = await attempt({ context, volume, claim, newSize: sizes.desired, oldSize });
    if (isFinished) context.sizes.resized(unique, size);
  } catch (error) {
    const what = `NodeExpandVolume.NodeExpandVolume failed for volume ${JSON.stringify(spec.name)}`;
    throw new Error(`${what} : ${messageOfError(error)}`, { cause: error });
  }
}

async function claimFor(context: ExpansionContext, { spec }: VolumeToMount): Promise<PersistentVolumeClaim> {
  const { namespace = '', name = '' } = spec.persistentVolume?.spec.claimRef ?? {};
  const why = (reason: string): string => `mountVolume.NodeExpandVolume get PVC failed : ${reason}`;
  const claim = await context.claim(namespace, name).catch((error: unknown) => {
    throw new Error(why(messageOfError(error)), { cause: error });
  });
  if (claim === undefined) throw new Error(why(`persistentvolumeclaims ${JSON.stringify(name)} not found`));
  return claim;
}

/** Resizers before Kubernetes 1.23 do not record the state in the claim. The node then expands without it. */
function attempt(one: Attempt): Promise<Expanded> {
  const { allocatedResources } = one.claim.status;
  if (resizeStatusOf(one.claim) === '' && allocatedResources === undefined) return expandUntold(one);
  return expandTold({ ...one, newSize: allocatedResources?.[STORAGE] ?? '0' });
}

/** Expands a volume and records its progress in the claim (upstream: NodeExpander.expandOnPlugin). */
async function expandTold(one: Attempt): Promise<Expanded> {
  const { context, volume, claim, newSize, oldSize } = one;
  const isUpdated = compareQuantities(claimedSize(claim), newSize) >= 0 && resizeStatusOf(claim) === '';
  if (!mayExpand(claim, isUpdated))
    return isUpdated ? { isFinished: true, size: newSize } : { isFinished: false, size: oldSize };
  const marked = isUpdated ? claim : await context.patchStatus(claim, inProgress());
  try {
    await expand(one);
  } catch (error) {
    if (faultOf(error) === 'notSupported' && isUpdated) return { isFinished: true, size: newSize };
    await tellFailure({ ...one, claim: marked }, error);
    if (faultOf(error) !== 'inUse') throw error;
    context.sizes.markInUse(volume.unique);
    return { isFinished: false, size: oldSize };
  }
  tellSuccess(one);
  if (!isUpdated) await updated(context, marked, newSize);
  return { isFinished: true, size: newSize };
}

/** Whether the node may expand now. A volume shared by several nodes is expanded on each of them, even if the claim has its new size. */
function mayExpand({ spec, metadata, status }: PersistentVolumeClaim, isUpdated: boolean): boolean {
  const isOfMany = (spec.accessModes ?? []).includes('ReadWriteMany');
  if (isUpdated && isOfMany && metadata.annotations?.[NOT_REQUIRED] === undefined) return true;
  return ON_NODE.includes(status.allocatedResourceStatuses?.[STORAGE] ?? '');
}

/** Expands a volume without recording its progress in the claim (upstream: legacyCallNodeExpandOnPlugin). */
async function expandUntold(one: Attempt): Promise<Expanded> {
  const { context, volume, claim, newSize } = one;
  const done = { isFinished: true, size: newSize };
  try {
    await expand(one);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === 'inUse') context.sizes.markInUse(volume.unique);
    if (fault === 'inUse' || fault === 'notSupported') return done;
    throw error;
  }
  tellSuccess(one);
  if (compareQuantities(claimedSize(claim), newSize) < 0) await updated(context, claim, newSize);
  return done;
}

async function expand({ volume, newSize, oldSize }: Attempt): Promise<void> {
  const { plugin, spec, pod, block } = volume;
  await plugin.expand?.({ spec, pod, block, newSize, oldSize });
}

async function updated(context: ExpansionContext, claim: PersistentVolumeClaim, size: string): Promise<void> {
  await context.patchStatus(claim, finished(claim, size)).catch((error: unknown) => {
    const what = `mountVolume.NodeExpandVolume update pvc status failed: ${messageOfError(error)}`;
    throw new Error(what, { cause: error });
  });
}

/** Records a permanent error in the claim. */
async function tellFailure({ context, volume, claim, newSize }: Attempt, error: unknown): Promise<void> {
  const fault = faultOf(error);
  if (fault === 'pending') return;
  const hadFailed = context.sizes.hasFailed(volume.unique);
  context.sizes.markFailed(volume.unique);
  const requested = claim.spec.resources.requests?.[STORAGE] ?? '0';
  // If the user has changed the request since then, the controller continues with the new size.
  const isOver = fault === 'infeasible' || (hadFailed && compareQuantities(requested, newSize) !== 0);
  const change = (isOver ? infeasible : failed)(claim, messageOfError(error), context.now());
  await context.patchStatus(claim, change).catch((reason: unknown) => {
    context.log(
      `failed to mark the expansion of claim ${claim.metadata.name ?? ''} as failed: ${messageOfError(reason)}`,
    );
  });
}

const subjectOf = ({ metadata }: PersistentVolumeClaim): EventSubject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata,
});

function tellSuccess({ context, volume, claim }: Attempt): void {
  const { spec, pod } = volume;
  const message = `MountVolume.NodeExpandVolume succeeded for volume ${JSON.stringify(spec.name)} ${pod.spec.nodeName ?? ''}`;
  for (const about of [pod, subjectOf(claim)])
    context.recorder.event(about, 'Normal', 'FileSystemResizeSuccessful', message);
}

function tellReadOnly(
  { recorder }: ExpansionContext,
  { spec, pod }: VolumeToMount,
  claim: PersistentVolumeClaim,
): void {
  const message = `MountVolume.NodeExpandVolume failed for volume ${JSON.stringify(spec.name)} requested read-only file system`;
  for (const about of [pod, subjectOf(claim)]) recorder.event(about, 'Warning', 'FileSystemResizeFailed', message);
}
