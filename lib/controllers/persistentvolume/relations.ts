import { typedObject } from '#lib/api/typed.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { podClaims } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { BIND_COMPLETED, isAnnotated } from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import { bestMatch } from '#lib/helpers/component-helpers/storage/volume/match.ts';

interface Claim {
  /** The claim, while it waits for a volume. */
  readonly pending?: PersistentVolumeClaim;
  readonly volume: string;
}

/** Maps changes to the claims (`claim/namespace/name`) and volumes (`volume/name`) that they concern, based on earlier changes. */
export class Relations {
  readonly #claims = new Map<string, Claim>();
  /** The claim that each volume is bound to or reserved for. */
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
    const claim = typedObject(PERSISTENT_VOLUME_CLAIMS, object());
    const volume = claim.spec?.volumeName ?? ''; // a deleted claim may have no spec
    const pending = isAnnotated(claim, BIND_COMPLETED) ? {} : { pending: claim };
    if (type === 'DELETED') this.#claims.delete(key);
    else this.#claims.set(key, { volume, ...pending });
    const volumes = new Set([...this.#refs].filter(([, ref]) => ref === key).map(([one]) => one));
    if (volume !== '') volumes.add(volume);
    const own = type === 'DELETED' ? [] : [`claim/${key}`];
    return [...own, ...[...volumes].map((one) => `volume/${one}`)];
  }

  #volume({ type, name, object }: ObjectChange): readonly string[] {
    const volume = typedObject(PERSISTENT_VOLUMES, object());
    const ref = volume.spec?.claimRef; // a deleted volume may have no spec
    const key = `${ref?.namespace ?? ''}/${ref?.name ?? ''}`;
    if (type === 'DELETED' || ref === undefined) this.#refs.delete(name);
    else this.#refs.set(name, key);
    const claims = new Set([...this.#claims].filter(([, claim]) => concerns(claim, name, volume)).map(([one]) => one));
    if (ref !== undefined) claims.add(key);
    const own = type === 'DELETED' ? [] : [`volume/${name}`];
    return [...own, ...[...claims].map((one) => `claim/${one}`)];
  }

  /** Only new pods concern claims: the event of a waiting claim names them. */
  #pod({ type, namespace, mentions, object }: ObjectChange): readonly string[] {
    if (type !== 'ADDED' || !(mentions('"persistentVolumeClaim"') || mentions('"ephemeral"'))) return [];
    const pod = typedObject(PODS, object());
    if (nodeNameOf(pod) !== '') return [];
    const names = podClaims(pod).map(({ name }) => `${namespace}/${name}`);
    return names.filter((key) => this.#claims.get(key)?.pending !== undefined).map((key) => `claim/${key}`);
  }

  #waiting(): readonly string[] {
    return [...this.#claims].filter(([, { pending }]) => pending !== undefined).map(([key]) => `claim/${key}`);
  }
}

/** A volume concerns a claim that names it, and a waiting claim that it would suit. */
function concerns(claim: Claim, name: string, volume: PersistentVolume): boolean {
  if (claim.volume !== '') return claim.volume === name;
  return (
    claim.pending !== undefined && volume.spec !== undefined && bestMatch(claim.pending, [volume], false) !== undefined
  );
}
