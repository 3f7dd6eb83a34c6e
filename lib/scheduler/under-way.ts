/** Work that was begun and is not waited for one by one. It does not reject. */
export class UnderWay {
  readonly #work = new Set<Promise<void>>();

  add(work: Promise<void>): void {
    const kept = work.finally(() => this.#work.delete(kept));
    this.#work.add(kept);
  }

  /** Resolves when none is left; whether there was any. */
  async ended(): Promise<boolean> {
    const any = this.#work.size > 0;
    while (this.#work.size > 0) await Promise.all(this.#work);
    return any;
  }
}
