import { parseDuration } from '#lib/api/cel/values/time.ts';
import { Duration } from '#lib/api/cel/values/value.ts';

const SECOND = 1_000_000_000n;
/** Units by name. Text may continue after the last name (`minutes`). */
const UNITS: readonly (readonly [bigint, readonly string[]])[] = [
  [1n, ['ns', 'nano']],
  [1_000n, ['us', 'µs', 'micro']],
  [1_000_000n, ['ms', 'milli']],
  [SECOND, ['s', 'sec']],
  [60n * SECOND, ['m', 'min']],
  [3600n * SECOND, ['h', 'hr', 'hour']],
  [86_400n * SECOND, ['d', 'day']],
  [604_800n * SECOND, ['w', 'wk', 'week']],
];

/** Parses the format `duration`, which allows more than Go: `5 days`, and numbers with unit names anywhere in the text. */
export function parseLooseDuration(text: string): Duration | undefined {
  const strict = parseDuration(text);
  if (strict !== undefined || text.length > 4096) return strict;
  let nanos: bigint | undefined;
  for (const [, digits = '', name = ''] of text.matchAll(/(\d+)\s*([A-Za-z\u00b5]+)/g)) {
    for (const [unit, names] of UNITS) {
      const lower = name.toLowerCase();
      if (!names.includes(lower) && !lower.startsWith(names.at(-1) ?? '')) continue;
      nanos = BigInt.asIntN(64, (nanos ?? 0n) + BigInt(digits) * unit);
    }
  }
  return nanos === undefined ? undefined : new Duration(nanos);
}
