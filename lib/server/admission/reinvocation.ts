import { clone, equal, type JsonObject } from '#lib/machinery/json-value.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Rounds } from './admission.ts';

/** Which of a plugin's webhooks or policies are asked again in the second round; upstream's reinvocation context. */
export class Reinvocation {
  readonly #rounds: Rounds;
  /** Those that want to hear of later changes. */
  #listening = new Set<string>();
  readonly #again = new Set<string>();
  #last: JsonObject | undefined;

  constructor(rounds: Rounds) {
    this.#rounds = rounds;
  }

  /** Begins a round: what other plugins changed in between counts too. */
  begin({ object }: Attributes): void {
    if (this.#rounds.isSecond && !equal(this.#last, object)) this.#recall();
  }

  end({ object }: Attributes): void {
    this.#last = object === undefined ? undefined : clone(object);
  }

  /** In the second round nobody is asked for the first time. */
  skips(key: string): boolean {
    return this.#rounds.isSecond && !this.#again.has(key);
  }

  /** All that listen are asked again in the second round. */
  requireSecond(): void {
    this.#recall();
    this.#rounds.wantsSecond = true;
  }

  /** From now on: until the next change, which has it asked again. */
  listen(key: string): void {
    this.#listening.add(key);
  }

  #recall(): void {
    for (const key of this.#listening) this.#again.add(key);
    this.#listening = new Set();
  }
}
