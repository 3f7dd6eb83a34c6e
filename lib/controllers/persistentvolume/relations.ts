import type { ObjectChange } from '#lib/controller/reconciler.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { podClaims } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import { BIND_COMPLETED, isAnnotated } from '#lib/component-helpers/storage/volume/annotations.ts';
import { bestMatch, claimRefOf, specOf } from '#lib/component-helpers/storage/volume/match.ts';

interface Claim {
  /** What it is, while it waits for a volume. */
  readonly pending?: JsonObject;
  readonly volume: string;
}

/** Which claims (`claim/namespace/name`) and volumes (`volume/name`) a change concerns, from what changes told before. */
export class Relations {
  readonly #claims = new Map<string, Claim>();
  /** The claim that each volume is bound to, or kept for. */
  readonly #refs = new Map<string, string>();

  keys(change: ObjectChange): readonly string[] {
    const { group, resource } = change;
    if (group === '' && resource === 'persistentvolumeclaims') return this.#claim(change);
    if (group === '' && resource === 'persistentvolumes') return this.#volume(change);
    if (group === '' && resource === 'pods') return this.#pod(change);
    if (group === 'storage.k8s.io' && resource === 'storageclasses') return this.#waiting();
    return [];
  }

  #claim({ type, namespace, name, object }: ObjectChange): readonly string[] {
    const key = `${namespace}/${name}`;
    const claim = object();
    const volume = text(specOf(claim), 'volumeName');
    const pending = isAnnotated(claim, BIND_COMPLETED) ? {} : { pending: claim };
    if (type === 'DELETED') this.#claims.delete(key);
    else this.#claims.set(key, { volume, ...pending });
    const volumes = new Set([...this.#refs].filter(([, ref]) => ref === key).map(([one]) => one));
    if (volume !== '') volumes.add(volume);
    const own = type === 'DELETED' ? [] : [`claim/${key}`];
    return [...own, ...[...volumes].map((one) => `volume/${one}`)];
  }

  #volume({ type, name, object }: ObjectChange): readonly string[] {
    const volume = object();
    const ref = claimRefOf(volume);
    const key = `${text(ref, 'namespace')}/${text(ref, 'name')}`;
    if (type === 'DELETED' || ref === undefined) this.#refs.delete(name);
    else this.#refs.set(name, key);
    const claims = new Set([...this.#claims].filter(([, claim]) => concerns(claim, name, volume)).map(([one]) => one));
    if (ref !== undefined) claims.add(key);
    const own = type === 'DELETED' ? [] : [`volume/${name}`];
    return [...own, ...[...claims].map((one) => `claim/${one}`)];
  }

  /** Of pods only that they come is news: it is told that a claim waits for them. */
  #pod({ type, namespace, mentions, object }: ObjectChange): readonly string[] {
    if (type !== 'ADDED' || !(mentions('"persistentVolumeClaim"') || mentions('"ephemeral"'))) return [];
    if (text(objectAt(object(), 'spec'), 'nodeName') !== '') return [];
    const names = podClaims(object()).map(({ name }) => `${namespace}/${name}`);
    return names.filter((key) => this.#claims.get(key)?.pending !== undefined).map((key) => `claim/${key}`);
  }

  #waiting(): readonly string[] {
    return [...this.#claims].filter(([, { pending }]) => pending !== undefined).map(([key]) => `claim/${key}`);
  }
}

/** A volume concerns a claim that names it, and one that waits and that it would suit. */
function concerns(claim: Claim, name: string, volume: JsonObject): boolean {
  if (claim.volume !== '') return claim.volume === name;
  return claim.pending !== undefined && bestMatch(claim.pending, [volume], false) !== undefined;
}
