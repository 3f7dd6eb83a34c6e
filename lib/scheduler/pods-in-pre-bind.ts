/** Pods in PreBind, by uid. Until they are bound, they can be preempted. */
export class PodsInPreBind {
  /** The reason to cancel each pod; empty if it is not cancelled. */
  readonly #reasons = new Map<string, string>();

  begin(uid: string): void {
    this.#reasons.set(uid, '');
  }

  /** Ends the pod's PreBind, after which it cannot be cancelled. Returns the reason if it was cancelled. */
  end(uid: string): string | undefined {
    const reason = this.#reasons.get(uid);
    this.#reasons.delete(uid);
    return reason === '' ? undefined : reason;
  }

  /** Cancels the pod. Returns false if it is not, or no longer, in PreBind. */
  cancel(uid: string, reason: string): boolean {
    if (!this.#reasons.has(uid)) return false;
    this.#reasons.set(uid, reason);
    return true;
  }
}
