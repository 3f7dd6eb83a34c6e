/** The order in which static pods of one full name start: never two at once, the first that came first (upstream: allowStaticPodStart). */
export class StaticPodStarts {
  readonly #started = new Map<string, string>();
  readonly #waiting = new Map<string, string[]>();

  /** The uid of the pod that has started under this name. */
  startedUid(fullName: string): string | undefined {
    return this.#started.get(fullName);
  }

  /** A static pod is there and waits for its turn. */
  wait(fullName: string, uid: string): void {
    this.#waiting.set(fullName, [...(this.#waiting.get(fullName) ?? []), uid]);
  }

  /** Whether the pod may start now; it has started then. `isGone` says whether a waiting pod never starts. */
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

  /** Gives the name free, if this pod has it. */
  release(fullName: string, uid: string): void {
    if (this.#started.get(fullName) === uid) this.#started.delete(fullName);
  }
}
