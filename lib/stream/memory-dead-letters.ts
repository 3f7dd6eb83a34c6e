import { type DeadLetter, type DeadLetters, deadLetterId } from './dead-letters.ts';

/** Dead letters in memory, for tests and as the model of other implementations. */
export class MemoryDeadLetters implements DeadLetters {
  readonly #deadLetters = new Map<string, DeadLetter>();

  async put(deadLetter: DeadLetter): Promise<void> {
    this.#deadLetters.set(deadLetterId(deadLetter), deadLetter);
  }

  async *all(): AsyncGenerator<DeadLetter> {
    for (const id of [...this.#deadLetters.keys()].sort()) {
      const deadLetter = this.#deadLetters.get(id);
      if (deadLetter !== undefined) yield deadLetter;
    }
  }

  async remove(deadLetter: DeadLetter): Promise<void> {
    this.#deadLetters.delete(deadLetterId(deadLetter));
  }
}
