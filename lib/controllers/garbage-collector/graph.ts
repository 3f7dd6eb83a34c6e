import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { equal, type Json } from '#lib/machinery/json-value.ts';
import { finalizersOf, isDeleting, type OwnerReference, ownerReferencesOf, uidOf } from '#lib/machinery/meta.ts';

/** The location of an object, without its version. It never changes during the object's life. */
export interface ObjectPlace {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The garbage collector's view of one object. */
export interface Node extends ObjectPlace {
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly deleting: boolean;
  /** Whether it waits for its dependents to be deleted. */
  readonly foreground: boolean;
  /** Whether it waits for its dependents to be released. */
  readonly orphaning: boolean;
}

/** The objects and owners to check after a change. */
export interface Affected {
  /** Objects whose own state or owners changed, or may have. */
  readonly nodes: readonly Node[];
  /** Owners that a dependent names, with the dependent's namespace. */
  readonly owners: readonly { readonly reference: OwnerReference; readonly namespace: string }[];
}

const NOTHING: Affected = { nodes: [], owners: [] };

/**
 * Objects that have owners or wait for dependents, by uid, and dependents by owner. This is upstream's graph without nodes for objects that
 * have neither owners nor dependents. For a change of any other object, one search in its bytes is enough.
 */
export class Graph {
  readonly #byPlace = new Map<string, Node>();
  readonly #byUid = new Map<string, Node>();
  readonly #dependents = new Map<string, Set<Node>>();

  /** The dependents of the owner with this uid. */
  dependentsOf(uid: string): Node[] {
    return [...(this.#dependents.get(uid) ?? [])];
  }

  /** The object with this uid. Undefined if it has no owners and waits for no dependents. */
  node(uid: string): Node | undefined {
    return this.#byUid.get(uid);
  }

  /** Applies a change. Returns the objects and owners to check. */
  apply(change: ObjectChange): Affected {
    const before = this.#byPlace.get(placeText(change));
    if (change.type === 'DELETED') return this.#remove(uidOf(change.object()), before);
    const concerns = change.ownerReferences.length > 0 || change.mentions('"deletionTimestamp"');
    if (!concerns && before === undefined) return NOTHING;
    const node = nodeOf(change);
    if (before !== undefined) this.#unlink(before);
    if (node.owners.length > 0 || node.deleting) this.#link(node);
    return this.#changed(before?.uid === node.uid ? before : undefined, node);
  }

  #changed(before: Node | undefined, node: Node): Affected {
    const { namespace } = node;
    const added = node.owners.filter((owner) => !before?.owners.some((other) => same(owner, other)));
    const lost = before?.owners.filter((owner) => !node.owners.some((other) => same(owner, other))) ?? [];
    return {
      nodes: [...(node.foreground || node.orphaning ? [node] : []), ...this.#waiting(lost)],
      owners: added.map((reference) => ({ reference, namespace })),
    };
  }

  #remove(uid: string, before: Node | undefined): Affected {
    if (before?.uid === uid) this.#unlink(before);
    return { nodes: [...this.dependentsOf(uid), ...this.#waiting(before?.owners ?? [])], owners: [] };
  }

  /** The given owners that wait for dependents. */
  #waiting(owners: readonly OwnerReference[]): Node[] {
    return owners.flatMap(({ uid }) => this.#byUid.get(uid) ?? []).filter(({ foreground }) => foreground);
  }

  #link(node: Node): void {
    this.#byPlace.set(placeText(node), node);
    this.#byUid.set(node.uid, node);
    for (const { uid } of node.owners) {
      const dependents = this.#dependents.get(uid) ?? new Set();
      this.#dependents.set(uid, dependents.add(node));
    }
  }

  #unlink(node: Node): void {
    this.#byPlace.delete(placeText(node));
    this.#byUid.delete(node.uid);
    for (const { uid } of node.owners) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(node);
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
  }
}

const placeText = ({ group, resource, namespace, name }: ObjectPlace): string =>
  `${group}/${resource}/${namespace}/${name}`;

const same = (a: OwnerReference, b: OwnerReference): boolean => equal(a as unknown as Json, b as unknown as Json);

/** The garbage collector's view of an object, from its metadata. */
export function nodeOf({ group, resource, namespace, name, object }: ObjectPlace & Pick<ObjectChange, 'object'>): Node {
  const value = object();
  const deleting = isDeleting(value);
  const finalizers = deleting ? finalizersOf(value) : [];
  return {
    group,
    resource,
    namespace,
    name,
    uid: uidOf(value),
    owners: ownerReferencesOf(value),
    deleting,
    foreground: finalizers.includes('foregroundDeletion'),
    orphaning: finalizers.includes('orphan'),
  };
}
