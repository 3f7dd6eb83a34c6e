import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { claimNames } from './decide.ts';

/** The pods that name each claim, from changes. */
export class ClaimUsers {
  readonly #claims = new Map<string, readonly string[]>();
  readonly #pods = new Map<string, Set<string>>();

  /** Applies a change of a pod. Returns the claims (`namespace/name`) that the pod names. */
  take({ type, namespace, name, object }: ObjectChange): readonly string[] {
    const pod = `${namespace}/${name}`;
    const before = this.#claims.get(pod) ?? [];
    const claims = claimNames(object()).map((claim) => `${namespace}/${claim}`);
    for (const claim of before) this.#unlink(pod, claim);
    if (type === 'DELETED' || claims.length === 0) this.#claims.delete(pod);
    else {
      this.#claims.set(pod, claims);
      for (const claim of claims) this.#pods.set(claim, (this.#pods.get(claim) ?? new Set()).add(pod));
    }
    return claims;
  }

  /** The pods (`namespace/name`) that name a claim. */
  podsOf(claim: string): readonly string[] {
    return [...(this.#pods.get(claim) ?? [])];
  }

  #unlink(pod: string, claim: string): void {
    const pods = this.#pods.get(claim);
    pods?.delete(pod);
    if (pods?.size === 0) this.#pods.delete(claim);
  }
}
