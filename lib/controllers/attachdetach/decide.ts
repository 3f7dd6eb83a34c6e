import type { AttachedVolume, Node, Pod } from '#lib/api/types/core.v1.ts';
import type { VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import { isNodeReady } from '#lib/helpers/component-helpers/node/readiness.ts';
import { annotationsOf, isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { type AttachableVolume, attachmentOf, attachmentOfName, CSI_PREFIX } from './volumes.ts';

/** The annotation of nodes that leave attachment to this controller. */
export const MANAGED = 'volumes.kubernetes.io/controller-managed-attach-detach';
/** The annotation with the time at which a VolumeAttachment became unneeded while a lost node may still use it. */
export const DETACH_REQUESTED = 'davit.dev/detach-requested';
/** The time in ms that a lost node has to unmount a volume. */
export const MAX_WAIT_FOR_UNMOUNT = 6 * 60_000;
/** The time in ms that an attacher has to attach a volume. */
export const ATTACH_TIMEOUT = 2 * 60_000;

const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** Whether this controller attaches volumes to the node. */
export const isManaged = (node: Node): boolean => annotationsOf(node)[MANAGED] !== undefined;

/** Whether the node has the out-of-service taint, which confirms that it is shut down. */
export const isOutOfService = ({ spec }: Node): boolean =>
  (spec.taints ?? []).some(({ key }) => key === OUT_OF_SERVICE);

/** A volume that pods on a node need. */
export interface Wanted {
  readonly volume: AttachableVolume;
  readonly pods: readonly Pod[];
}

/** The state of one node: its object if it exists, its VolumeAttachments, and the volumes that it needs. */
export interface NodeState {
  readonly name: string;
  readonly node: Node | undefined;
  readonly attachments: readonly VolumeAttachment[];
  /** Volumes of VolumeAttachments and of pods, keyed by the names of their VolumeAttachments. */
  readonly known: ReadonlyMap<string, AttachableVolume>;
  readonly wanted: readonly Wanted[];
}

/** A VolumeAttachment that this controller made, and its volume's name in the node's status. */
interface Own {
  readonly attachment: VolumeAttachment;
  readonly uniqueName: string;
}

/** The steps of one reconciliation, in order. */
export interface NodePlan {
  /** The new list for the node's status, absent if the list is up to date. */
  readonly volumesAttached?: readonly AttachedVolume[];
  /** Volumes that the new list adds. */
  readonly attached: readonly Wanted[];
  readonly detach: readonly VolumeAttachment[];
  /** VolumeAttachments that now start to wait for the node. */
  readonly request: readonly VolumeAttachment[];
  /** VolumeAttachments that are needed again. */
  readonly cancel: readonly VolumeAttachment[];
  /** The times in ms until the waits end. */
  readonly waits: readonly number[];
}

/** Plans one reconciliation of a node: upstream's reconcile without the creation of VolumeAttachments. `now` is in ms since 1970. */
export function planNode(state: NodeState, now: number): NodePlan {
  const { node, name, wanted } = state;
  const own = ownAttachments(state);
  const needed = new Map(wanted.map((one) => [attachmentOf(one.volume, name), one]));
  const unneeded = own.filter(({ attachment }) => !needed.has(nameOf(attachment)) && !isDeleting(attachment));
  const ways = unneeded.map((one) => ({ ...one, ...wayToDetach(one, node, now) }));
  const going = new Set(ways.filter(({ way }) => way === 'now').map(({ uniqueName }) => uniqueName));
  const reported = own
    .filter(({ attachment, uniqueName }) => isAttached(attachment) && !going.has(uniqueName))
    .map(({ uniqueName }) => uniqueName);
  const had = (node?.status.volumesAttached ?? []).map((one) => one.name);
  return {
    ...(node === undefined ? {} : listChange(node.status.volumesAttached ?? [], reported)),
    attached: node === undefined ? [] : wanted.filter(({ volume }) => isIn(reported, volume) && !isIn(had, volume)),
    detach: ways.filter(({ way }) => way === 'now').map(({ attachment }) => attachment),
    request: ways.filter(({ way }) => way === 'request').map(({ attachment }) => attachment),
    cancel: own
      .filter(({ attachment }) => needed.has(nameOf(attachment)) && requestedAt(attachment) !== undefined)
      .map(({ attachment }) => attachment),
    waits: ways.flatMap(({ wait }) => wait ?? []),
  };
}

const isIn = (names: readonly string[], { uniqueName }: AttachableVolume): boolean => names.includes(uniqueName);

/** Whether the driver reports the volume as attached, and the VolumeAttachment is not being deleted. */
export const isAttached = (attachment: VolumeAttachment): boolean =>
  attachment.status.attached && !isDeleting(attachment);

/** The VolumeAttachments whose names are derived from volumes. Others are left alone. */
function ownAttachments({ name, node, attachments, known }: NodeState): Own[] {
  const names = new Map<string, string>();
  for (const { name: uniqueName } of node?.status.volumesAttached ?? [])
    names.set(attachmentOfName(uniqueName, name) ?? '', uniqueName);
  for (const [attachment, { uniqueName }] of known) names.set(attachment, uniqueName);
  return attachments.flatMap((attachment) => {
    const uniqueName = names.get(nameOf(attachment));
    return uniqueName === undefined ? [] : [{ attachment, uniqueName }];
  });
}

type Way = { readonly way: 'now' | 'request' | 'wait'; readonly wait?: number };

/**
 * Decides when an unneeded volume is detached from a node: at once if the node does not use it or is out of service, after six minutes if
 * the node is lost.
 */
function wayToDetach({ attachment, uniqueName }: Own, node: Node | undefined, now: number): Way {
  if (node !== undefined && (isOutOfService(node) || !(node.status.volumesInUse ?? []).includes(uniqueName)))
    return { way: 'now' };
  if (node !== undefined && isNodeReady(node)) return { way: 'wait' };
  const since = requestedAt(attachment);
  if (since === undefined) return { way: 'request', wait: MAX_WAIT_FOR_UNMOUNT };
  const left = since + MAX_WAIT_FOR_UNMOUNT - now;
  return left <= 0 ? { way: 'now' } : { way: 'wait', wait: left };
}

function requestedAt(attachment: VolumeAttachment): number | undefined {
  const text = annotationsOf(attachment)[DETACH_REQUESTED];
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** The node's list with these attached CSI volumes and all other entries unchanged. Undefined if the list is up to date. */
function listChange(
  old: readonly AttachedVolume[],
  names: readonly string[],
): { readonly volumesAttached?: readonly AttachedVolume[] } {
  const others = old.filter(({ name }) => !name.startsWith(CSI_PREFIX));
  const paths = new Map(old.map(({ name, devicePath }) => [name, devicePath]));
  const next = [...new Set(names)].toSorted().map((name) => ({ name, devicePath: paths.get(name) ?? '' }));
  const before = old.filter(({ name }) => name.startsWith(CSI_PREFIX)).map(({ name }) => name);
  const isSame = before.toSorted().join('\n') === next.map(({ name }) => name).join('\n');
  return isSame ? {} : { volumesAttached: [...others, ...next] };
}

/** The outcome of a needed attachment: the attacher's error, or the time in ms that the attacher has left. */
export function outcomeOf(
  attachment: VolumeAttachment,
  { driver, handle }: AttachableVolume,
  now: number,
): { readonly error?: string; readonly wait?: number } {
  if (isDeleting(attachment)) return { error: 'volume attachment is being deleted' };
  const { attached, attachError } = attachment.status;
  if (attached) return {};
  if (attachError !== undefined) return { error: attachError.message ?? '' };
  const created = Date.parse(attachment.metadata.creationTimestamp ?? '');
  const wait = created + ATTACH_TIMEOUT - now;
  if (wait > 0) return { wait };
  return { error: `timed out waiting for external-attacher of ${driver} CSI driver to attach volume ${handle}` };
}

/** The next step for a volume that a node needs without a VolumeAttachment: create one, wait, or report the obstacle. */
export type AttachStep =
  | { readonly step: 'create' | 'wait' }
  | { readonly step: 'refuse'; readonly nodes: readonly string[] };

/** Chooses the step from the volume's VolumeAttachments on other nodes. */
export function attachStep(volume: AttachableVolume, others: readonly VolumeAttachment[]): AttachStep {
  if (!volume.isExclusive) return { step: 'create' };
  const attached = others.filter(({ status }) => status.attached);
  if (attached.length > 0) return { step: 'refuse', nodes: attached.map(({ spec }) => spec.nodeName) };
  const isPending = others.some((one) => isDeleting(one) || one.status.attachError === undefined);
  return { step: isPending ? 'wait' : 'create' };
}
