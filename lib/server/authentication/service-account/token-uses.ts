import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Value } from '#lib/machinery/metrics/value.ts';

const COUNTED = {
  legacy_tokens_total: 'Tokens of Secrets that were shown.',
  legacy_auto_token_uses_total: 'Of them those that were made for their account.',
  legacy_manual_token_uses_total: 'Of them those that somebody made.',
  invalid_legacy_auto_token_uses_total: 'Tokens that were shown although their Secret is marked as invalid.',
  stale_tokens_total: 'Tokens of pods that were shown when they should long have been replaced.',
  valid_tokens_total: 'Tokens of pods that were shown in their time.',
} as const;

/** A counter of token uses. */
export type TokenUse = keyof typeof COUNTED;

/** Counts the uses of service account tokens by age and type, with upstream's metric names. */
export class TokenUses implements Collector {
  readonly #counters = new Map(
    Object.entries(COUNTED).map(([name, help]) => {
      const counter = new Value({ type: 'counter', name: `serviceaccount_${name}`, help });
      counter.add(0);
      return [name, counter];
    }),
  );

  shown(use: TokenUse): void {
    this.#counters.get(use)?.add(1);
  }

  collect(): readonly Family[] {
    return [...this.#counters.values()].flatMap((counter) => counter.collect());
  }
}
