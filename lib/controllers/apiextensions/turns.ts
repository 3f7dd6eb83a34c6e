/** Runs the tasks of one subject sequentially, in the order of the calls. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(subject);
    const turn = before === undefined ? work() : before.then(work, work);
    this.#last.set(subject, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(subject) === turn) this.#last.delete(subject);
    }
  }
}
