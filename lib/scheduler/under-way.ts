/** Background work that must not reject. It is awaited together. */
export class UnderWay {
  readonly #work = new Set<Promise<void>>();

  add(work: Promise<void>): void {
    const kept = work.finally(() => this.#work.delete(kept));
    this.#work.add(kept);
  }

  /** Resolves after all work has ended. Returns whether there was any. */
  async ended(): Promise<boolean> {
    const any = this.#work.size > 0;
    while (this.#work.size > 0) await Promise.all(this.#work);
    return any;
  }
}
