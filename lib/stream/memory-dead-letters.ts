import { type DeadLetter, type DeadLetters, letterId } from './dead-letters.ts';

/** Dead letters in memory, for tests and as the model of other implementations. */
export class MemoryDeadLetters implements DeadLetters {
  readonly #letters = new Map<string, DeadLetter>();

  async put(letter: DeadLetter): Promise<void> {
    this.#letters.set(letterId(letter), letter);
  }

  async *all(): AsyncGenerator<DeadLetter> {
    for (const id of [...this.#letters.keys()].sort()) {
      const letter = this.#letters.get(id);
      if (letter !== undefined) yield letter;
    }
  }

  async remove(letter: DeadLetter): Promise<void> {
    this.#letters.delete(letterId(letter));
  }
}
