import { typedObject } from '#lib/api/typed.ts';
import type { PersistentVolume, Pod } from '#lib/api/types/core.v1.ts';
import type { ResourceSlice } from '#lib/api/types/resource.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS } from '#lib/api/types/resources.ts';
import type { VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { Expiring } from '#lib/machinery/expiring.ts';
import { namespaceOf } from '#lib/machinery/meta.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { keyPrefix } from '#lib/storage/keys.ts';
import { type Lookup, parsedObject } from '#lib/storage/lookup.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { ListPage, Storage, StorageOf } from '#lib/storage/storage.ts';
import { namesIn, type Referenced, volumeNeedsSecret } from './references.ts';

/** How long the references of a node's pods are cached, in ms. */
const LIFETIME = 10_000;
const KEPT = 4_096;

/** The ports of relations. */
export interface RelationPorts {
  readonly storageOf: StorageOf;
  readonly lookup: Pick<Lookup, 'find' | 'findFresh'>;
  readonly cluster: string;
  readonly clock: Clock;
}

/** An object that a node requests. */
export interface NodeObject {
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
}

/** The relations between objects and nodes: upstream's graph, evaluated with point reads that start at the object. */
export interface Relations {
  /** Whether the pod runs on the node. */
  hasPod(asked: NodeObject): Promise<boolean>;
  /** Whether a pod on the node refers to the object. For secrets this includes the volumes that the pod mounts. */
  refersTo(kind: Referenced, asked: NodeObject): Promise<boolean>;
  /** Whether a pod on the node refers to the claim that is bound to the volume. */
  mounts(asked: Omit<NodeObject, 'namespace'>): Promise<boolean>;
  /** Whether the spec of the cluster-scoped object names the node. */
  isNamedBy(
    resource: ResourceOf<VolumeAttachment | ResourceSlice>,
    asked: Omit<NodeObject, 'namespace'>,
  ): Promise<boolean>;
}

interface PodsOfNode {
  readonly pods: readonly Pod[];
  readonly version: Version;
}

/** Relations from the storage's index of pods by node, and from lookups of volumes and claims. */
export function nodeRelations(ports: RelationPorts): Relations {
  const { lookup } = ports;
  const known = new Expiring<PodsOfNode>(KEPT);

  /** The node's current pods. Uses the cached ones unless a pod was written since. */
  const podsNow = async (node: string): Promise<readonly Pod[]> => {
    const now = ports.clock.monotonic();
    const read = known.get(node, now);
    if (read !== undefined && (await ports.storageOf(PODS).head()) === read.version) return read.pods;
    const fresh = await podsOf(ports, node);
    known.set(node, fresh, now + LIFETIME);
    return fresh.pods;
  };

  /** Whether a cached pod still exists on the same node. One point read is cheaper than a list of the node's pods. */
  const stands = async (node: string, pod: Pod | undefined): Promise<boolean> => {
    if (pod === undefined) return false;
    const { namespace = '', name = '', uid } = pod.metadata;
    const present = await lookup.findFresh({ ...PODS, namespace }, name);
    return present?.metadata.uid === uid && nodeOf(present) === node;
  };

  const refersTo: Relations['refersTo'] = async (kind, { node, namespace, name }) => {
    const refers = (pod: Pod): boolean => namespaceOf(pod) === namespace && namesIn(pod, kind).includes(name);
    const read = known.get(node, ports.clock.monotonic());
    if (await stands(node, read?.pods.find(refers))) return true;
    const pods = await podsNow(node);
    return pods.some(refers) || (kind === 'secrets' && needsByVolume(pods, namespace, name));
  };

  /** A volume's secret may be in any namespace, and so may the pod that mounts the volume. */
  const needsByVolume = async (pods: readonly Pod[], namespace: string, name: string): Promise<boolean> => {
    const claims = new Map<string, { namespace: string; name: string }>();
    for (const pod of pods)
      for (const claim of namesIn(pod, 'persistentvolumeclaims'))
        claims.set(`${namespaceOf(pod)}/${claim}`, { namespace: namespaceOf(pod), name: claim });
    for (const claim of claims.values()) {
      const volume = await volumeOf(lookup, claim);
      if (volume !== undefined && volumeNeedsSecret(volume, namespace, name)) return true;
    }
    return false;
  };

  return {
    hasPod: async ({ node, namespace, name }) => {
      const pod = await lookup.find({ ...PODS, namespace }, name);
      return nodeOf(pod) === node || nodeOf(await lookup.findFresh({ ...PODS, namespace }, name)) === node;
    },
    refersTo,
    mounts: async ({ node, name }) => {
      const claim = (await lookup.find(PERSISTENT_VOLUMES, name))?.spec.claimRef;
      if (claim === undefined) return false;
      const { namespace = '', name: claimName = '' } = claim;
      return refersTo('persistentvolumeclaims', { node, namespace, name: claimName });
    },
    isNamedBy: async (resource, { node, name }) => nodeOf(await lookup.findFresh(resource, name)) === node,
  };
}

const nodeOf = (object: Pod | VolumeAttachment | ResourceSlice | undefined): string | undefined =>
  object?.spec.nodeName || undefined;

/** Returns the claim's volume if the volume refers back to the claim. */
async function volumeOf(
  lookup: RelationPorts['lookup'],
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<PersistentVolume | undefined> {
  const claim = await lookup.find({ ...PERSISTENT_VOLUME_CLAIMS, namespace }, name);
  const volumeName = claim?.spec.volumeName ?? '';
  const volume = volumeName === '' ? undefined : await lookup.find(PERSISTENT_VOLUMES, volumeName);
  const bound = volume?.spec.claimRef;
  return bound?.namespace === namespace && bound.name === name ? volume : undefined;
}

/** Lists the pods that are currently bound to a node, with the storage's index. */
export function podsOnNode(storage: Storage, cluster: string, node: string): Promise<ListPage> {
  const prefix = keyPrefix({ cluster, ...PODS });
  const where = { field: 'spec.nodeName', value: node };
  return storage.list({ prefix, at: { kind: 'fresh' }, limit: 0, where });
}

/** The pods of the node. Pods of other nodes are not parsed. */
async function podsOf({ storageOf, cluster }: RelationPorts, node: string): Promise<PodsOfNode> {
  const { objects, version } = await podsOnNode(storageOf(PODS), cluster, node);
  return { pods: objects.map((stored) => typedObject(PODS, parsedObject(stored))), version };
}
