/** Work on one subject is done one after the other, in the order in which it was asked for. */
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
