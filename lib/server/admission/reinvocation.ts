import { clone, equal, type JsonObject } from '#lib/machinery/json-value.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Rounds } from './admission.ts';

/** Tracks which of a plugin's webhooks or policies run again in the second round: upstream's reinvocation context. */
export class Reinvocation {
  readonly #rounds: Rounds;
  /** The keys that run again after a later change. */
  #listening = new Set<string>();
  readonly #again = new Set<string>();
  #last: JsonObject | undefined;

  constructor(rounds: Rounds) {
    this.#rounds = rounds;
  }

  /** Begins a round. Changes by other plugins between the rounds count too. */
  begin({ object }: Attributes): void {
    if (this.#rounds.isSecond && !equal(this.#last, object)) this.#recall();
  }

  end({ object }: Attributes): void {
    this.#last = object === undefined ? undefined : clone(object);
  }

  /** Whether to skip the key. In the second round no webhook or policy runs for the first time. */
  skips(key: string): boolean {
    return this.#rounds.isSecond && !this.#again.has(key);
  }

  /** Makes all listening keys run again in the second round. */
  requireSecond(): void {
    this.#recall();
    this.#rounds.wantsSecond = true;
  }

  /** Makes the key run again after the next change. */
  listen(key: string): void {
    this.#listening.add(key);
  }

  #recall(): void {
    for (const key of this.#listening) this.#again.add(key);
    this.#listening = new Set();
  }
}
