/** Pods that are being prepared for their node, by uid: until they are bound, their place can be taken. */
export class PodsInPreBind {
  /** Why each was told to give up; empty while it was not. */
  readonly #reasons = new Map<string, string>();

  begin(uid: string): void {
    this.#reasons.set(uid, '');
  }

  /** Why it was to give up, if it was; from now on it is too late for that. */
  end(uid: string): string | undefined {
    const reason = this.#reasons.get(uid);
    this.#reasons.delete(uid);
    return reason === '' ? undefined : reason;
  }

  /** False where it is not there, any more. */
  cancel(uid: string, reason: string): boolean {
    if (!this.#reasons.has(uid)) return false;
    this.#reasons.set(uid, reason);
    return true;
  }
}
