/** The start order of static pods with the same full name: one at a time, first come, first served (upstream: allowStaticPodStart). */
export class StaticPodStarts {
  readonly #started = new Map<string, string>();
  readonly #waiting = new Map<string, string[]>();

  /** The uid of the started pod with this name. */
  startedUid(fullName: string): string | undefined {
    return this.#started.get(fullName);
  }

  /** Adds a static pod to the queue. */
  wait(fullName: string, uid: string): void {
    this.#waiting.set(fullName, [...(this.#waiting.get(fullName) ?? []), uid]);
  }

  /** Whether the pod may start now, in which case it counts as started. `isGone` returns whether a queued pod will never start. */
  allow(fullName: string, uid: string, isGone: (uid: string) => boolean): boolean {
    const started = this.#started.get(fullName);
    if (started !== undefined) return started === uid;
    const waiting = this.#waiting.get(fullName) ?? [];
    const next = waiting.findIndex((one) => !isGone(one));
    const isNext = next < 0 || waiting[next] === uid;
    const left = next < 0 ? [] : waiting.slice(isNext ? next + 1 : next);
    if (left.length === 0) this.#waiting.delete(fullName);
    else this.#waiting.set(fullName, left);
    if (isNext) this.#started.set(fullName, uid);
    return isNext;
  }

  /** Releases the name if this pod holds it. */
  release(fullName: string, uid: string): void {
    if (this.#started.get(fullName) === uid) this.#started.delete(fullName);
  }
}
