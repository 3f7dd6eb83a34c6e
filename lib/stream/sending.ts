import type { Undeliverable } from './consumer.ts';
import type { Sink } from './sink.ts';

/** An entry and the change that it reports. */
export interface ChangeEntry<T> extends Pick<Undeliverable, 'version' | 'key'> {
  readonly entry: T;
}

/** Sends entries. Resolves with the refused ones as text. */
export async function sendMade<T>(sink: Sink<T>, made: readonly ChangeEntry<T>[]): Promise<Undeliverable[]> {
  const refusals = await sink.send(made.map(({ entry }) => entry));
  return refusals.flatMap(({ index, reason }) => {
    const refused = made[index];
    if (refused === undefined) return [];
    const { version, key, entry } = refused;
    return [{ version, key, reason, entry: JSON.stringify(entry) }];
  });
}

/** Resends refused entries from their texts. Resolves with the reasons why entries were refused again or could not be decoded. */
export async function resendTexts<T>(
  sink: Sink<T>,
  texts: readonly string[],
  decode: (text: string) => T,
): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  const decoded: { readonly text: string; readonly entry: T }[] = [];
  for (const text of texts) {
    const read = attempt(() => decode(text));
    if ('fault' in read) reasons.set(text, read.fault);
    else decoded.push({ text, entry: read.value });
  }
  for (const { index, reason } of await sink.send(decoded.map(({ entry }) => entry))) {
    reasons.set(decoded[index]?.text ?? '', reason);
  }
  return reasons;
}

/** Runs `make`. Converts an error into text, because it concerns only one change and would recur. */
export function attempt<T>(make: () => T): { readonly value: T } | { readonly fault: string } {
  try {
    return { value: make() };
  } catch (error) {
    return { fault: String(error) };
  }
}
