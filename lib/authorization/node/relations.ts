import type { Clock } from '#lib/machinery/clock.ts';
import { Expiring } from '#lib/machinery/expiring.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { namespaceOf } from '#lib/machinery/meta.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import { parsedObject, type Lookup } from '#lib/storage/lookup.ts';
import { keyPrefix } from '#lib/storage/keys.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import { namesIn, volumeNeedsSecret, type Referenced } from './references.ts';

/** How long what a node's pods refer to is believed, in milliseconds. */
const LIFETIME = 10_000;
const KEPT = 4_096;

const PODS = { group: '', resource: 'pods' };
const CLAIMS = { group: '', resource: 'persistentvolumeclaims' };
const VOLUMES = { group: '', resource: 'persistentvolumes' };

export interface RelationPorts {
  readonly storageOf: StorageOf;
  readonly lookup: Pick<Lookup, 'find' | 'findFresh'>;
  readonly cluster: string;
  readonly clock: Clock;
}

export interface NodeObject {
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
}

/** What an object has to do with a node: upstream's graph, walked by point reads from the object on. */
export interface Relations {
  /** Whether the pod is on the node. */
  hasPod(asked: NodeObject): Promise<boolean>;
  /** Whether a pod on the node refers to the object, for a secret also by the volume that it mounts. */
  refersTo(kind: Referenced, asked: NodeObject): Promise<boolean>;
  /** Whether a pod on the node refers to the claim that the volume is bound to. */
  mounts(asked: Omit<NodeObject, 'namespace'>): Promise<boolean>;
  /** Whether the object of the cluster names the node in its spec. */
  isNamedBy(
    at: { readonly group: string; readonly resource: string },
    asked: Omit<NodeObject, 'namespace'>,
  ): Promise<boolean>;
}

interface PodsOfNode {
  readonly pods: readonly JsonObject[];
  readonly version: Version;
}

export function nodeRelations(ports: RelationPorts): Relations {
  const { lookup } = ports;
  const known = new Expiring<PodsOfNode>(KEPT);

  /** Whether one of the node's pods is so: by what was read, and where none is, by what was written since. */
  const some = async (node: string, is: (pod: JsonObject) => boolean): Promise<boolean> => {
    const now = ports.clock.monotonic();
    const read = known.get(node, now);
    if (read?.pods.some(is) === true) return true;
    if (read !== undefined && (await ports.storageOf(PODS).head()) === read.version) return false;
    const fresh = await podsOf(ports, node);
    known.set(node, fresh, now + LIFETIME);
    return fresh.pods.some(is);
  };

  const refersTo: Relations['refersTo'] = async (kind, { node, namespace, name }) => {
    const refers = (pod: JsonObject): boolean => namespaceOf(pod) === namespace && namesIn(pod, kind).includes(name);
    if (await some(node, refers)) return true;
    return kind === 'secrets' && needsByVolume(node, namespace, name);
  };

  /** The secret of a volume may be anywhere, and so may the pod that mounts it. */
  const needsByVolume = async (node: string, namespace: string, name: string): Promise<boolean> => {
    const claims = new Map<string, { namespace: string; name: string }>();
    await some(node, (pod) => {
      for (const claim of namesIn(pod, 'persistentvolumeclaims'))
        claims.set(`${namespaceOf(pod)}/${claim}`, { namespace: namespaceOf(pod), name: claim });
      return false;
    });
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
      const claim = at(await lookup.find(VOLUMES, name), 'spec', 'claimRef');
      if (claim === undefined) return false;
      return refersTo('persistentvolumeclaims', {
        node,
        namespace: text(claim, 'namespace'),
        name: text(claim, 'name'),
      });
    },
    isNamedBy: async (resource, { node, name }) => nodeOf(await lookup.findFresh(resource, name)) === node,
  };
}

const nodeOf = (object: JsonObject | undefined): string | undefined =>
  text(at(object, 'spec'), 'nodeName') || undefined;

/** A volume that says itself that it is bound to the claim. */
async function volumeOf(
  lookup: RelationPorts['lookup'],
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<JsonObject | undefined> {
  const volumeName = text(at(await lookup.find({ ...CLAIMS, namespace }, name), 'spec'), 'volumeName');
  const volume = volumeName === '' ? undefined : await lookup.find(VOLUMES, volumeName);
  const bound = at(volume, 'spec', 'claimRef');
  return text(bound, 'namespace') === namespace && text(bound, 'name') === name ? volume : undefined;
}

/** The pods of the node: found by the storage's index, and only they are parsed. */
async function podsOf({ storageOf, cluster }: RelationPorts, node: string): Promise<PodsOfNode> {
  const { objects, version } = await storageOf(PODS).list({
    prefix: keyPrefix({ cluster, ...PODS }),
    at: { kind: 'fresh' },
    limit: 0,
    where: { field: 'spec.nodeName', value: node },
  });
  return { pods: objects.map(parsedObject), version };
}
