import { typedObject } from '#lib/api/typed.ts';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import {
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  PODS,
  VOLUME_ATTACHMENTS,
} from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { isNodeReady } from '#lib/helpers/component-helpers/node/readiness.ts';
import { podClaims } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { namespaceOf } from '#lib/machinery/meta.ts';
import { isManaged, isOutOfService } from './decide.ts';
import { mayAttach, needsVolumes } from './volumes.ts';

/** The key of a node. */
export const nodeKey = (name: string): string => `node/${name}`;
/** The key of a persistent volume. */
export const volumeKey = (name: string): string => `volume/${name}`;

/** The JSON of every pod with an attachable volume contains one of these strings. */
const PARTS = ['"persistentVolumeClaim"', '"ephemeral"', 'Disk"', 'ElasticBlockStore"', '"cinder"', 'olume"'];

/**
 * Maps changes to keys. Nodes and pods often change without moving a volume. The class therefore remembers the last relevant state
 * and the volumes of claims.
 */
export class AttachKeys {
  readonly #claims = new Map<string, string>();
  readonly #pods = new Map<string, PodState>();
  readonly #nodes = new Map<string, NodeState>();

  of(change: ObjectChange): readonly string[] {
    const { group, resource } = change;
    if (group === VOLUME_ATTACHMENTS.group && resource === VOLUME_ATTACHMENTS.resource) return attachmentKeys(change);
    if (group !== '') return [];
    if (resource === PODS.resource) return this.#pod(change);
    if (resource === NODES.resource) return this.#node(change);
    if (resource === PERSISTENT_VOLUME_CLAIMS.resource) return this.#claim(change);
    return resource === PERSISTENT_VOLUMES.resource ? boundVolume(change) : [];
  }

  #pod(change: ObjectChange): readonly string[] {
    const key = `${change.namespace}/${change.name}`;
    const before = this.#pods.get(key);
    const after =
      change.type !== 'DELETED' && PARTS.some((part) => change.mentions(part)) ? stateOf(change) : undefined;
    if (after === undefined) this.#pods.delete(key);
    else this.#pods.set(key, after);
    if (after?.text === before?.text && before !== undefined) return [];
    const gone = change.type === 'DELETED' && before === undefined ? stateOf(change) : before;
    return [...new Set([gone, after].flatMap((state) => (state === undefined ? [] : this.#keysOf(state))))];
  }

  #keysOf({ node, claims }: PodState): string[] {
    return node === '' ? [] : [...claims.flatMap((claim) => this.#volumeOf(claim)), nodeKey(node)];
  }

  #volumeOf(claim: string): string[] {
    const volume = this.#claims.get(claim);
    return volume === undefined ? [] : [volumeKey(volume)];
  }

  #claim(change: ObjectChange): readonly string[] {
    const key = `${change.namespace}/${change.name}`;
    const before = this.#claims.get(key);
    const claim = change.type === 'DELETED' ? undefined : typedObject(PERSISTENT_VOLUME_CLAIMS, change.object());
    const volume = claim?.status.phase === 'Bound' ? claim.spec.volumeName : undefined;
    if (volume === undefined) this.#claims.delete(key);
    else this.#claims.set(key, volume);
    return volume === undefined || volume === before ? [] : [volumeKey(volume)];
  }

  #node(change: ObjectChange): readonly string[] {
    const { name, type } = change;
    const before = this.#nodes.get(name);
    const node = type === 'DELETED' ? undefined : typedObject(NODES, change.object());
    const after = node === undefined ? undefined : nodeState(node);
    if (after === undefined) this.#nodes.delete(name);
    else this.#nodes.set(name, after);
    if (after?.text === before?.text && after !== undefined) return [];
    const volumes = node !== undefined && isManaged(node) && before?.isManaged !== true ? this.#volumesOn(name) : [];
    const isBare = !(node?.status.volumesAttached ?? []).length && !(node?.status.volumesInUse ?? []).length;
    return before === undefined && node !== undefined && isBare ? volumes : [nodeKey(name), ...volumes];
  }

  /** The keys of the volumes of a node's pods, for a node that is new or newly managed by this controller. */
  #volumesOn(node: string): string[] {
    const there = this.#pods.values().filter((pod) => pod.node === node);
    return [...new Set([...there].flatMap((pod) => this.#keysOf(pod)))];
  }
}

/** The relevant state of a pod: the node that needs its volumes, if any, and its claims. */
interface PodState {
  readonly text: string;
  readonly node: string;
  readonly claims: readonly string[];
}

function stateOf(change: ObjectChange): PodState | undefined {
  const pod: Pod = typedObject(PODS, change.object());
  const node = pod.spec?.nodeName ?? '';
  if (node === '' || !mayAttach(pod)) return undefined;
  const claims = podClaims(pod).map(({ name }) => `${namespaceOf(pod)}/${name}`);
  const isUser = change.type !== 'DELETED' && needsVolumes(pod);
  return { node, claims, text: JSON.stringify([pod.metadata.uid, node, isUser]) };
}

/** The relevant state of a node. */
interface NodeState {
  readonly text: string;
  readonly isManaged: boolean;
}

const nodeState = (node: Node): NodeState => ({
  isManaged: isManaged(node),
  text: JSON.stringify([
    isManaged(node),
    isNodeReady(node),
    isOutOfService(node),
    (node.status.volumesInUse ?? []).toSorted(),
    (node.status.volumesAttached ?? []).map(({ name }) => name).toSorted(),
  ]),
});

function attachmentKeys(change: ObjectChange): string[] {
  const { spec } = typedObject(VOLUME_ATTACHMENTS, change.object());
  if (spec === undefined) return [];
  const volume = spec.source.persistentVolumeName;
  return [nodeKey(spec.nodeName), ...(volume === undefined ? [] : [volumeKey(volume)])];
}

/** A volume with a claim may be the last one that a pod waited for. */
function boundVolume(change: ObjectChange): string[] {
  if (change.type === 'DELETED') return [];
  const { spec, status } = typedObject(PERSISTENT_VOLUMES, change.object());
  return status.phase === 'Bound' && spec.claimRef !== undefined ? [volumeKey(change.name)] : [];
}
