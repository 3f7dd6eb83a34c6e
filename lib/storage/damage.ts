import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from './errors.ts';
import { parseKey } from './keys.ts';
import type { Summary, Version } from './sequence.ts';
import { stampedVersion } from './stamp.ts';

/** The placeholder for the body of a damaged object. */
export const NO_BODY = new Uint8Array();

/** The summary of a damaged object that was stored without one. */
export const NO_SUMMARY: Summary = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };

const [OPEN, CLOSE] = [0x7b, 0x7d];

/**
 * Returns Corrupt for bytes that cannot be the object with that key and version; undefined otherwise. Checks only the first and last byte
 * and the version, which is cheap enough for every load. The parser later checks whether the bytes are JSON.
 */
export function damageOf(key: string, version: Version, body: Uint8Array): StoreError | undefined {
  const looksWhole = body[0] === OPEN && body.at(-1) === CLOSE && versionIn(body) === version;
  return looksWhole ? undefined : damaged(key);
}

/** The error of an object whose stored bytes are invalid. */
export const damaged = (key: string, cause?: unknown): StoreError =>
  new StoreError('Corrupt', `the stored bytes of key ${JSON.stringify(registryKey(key))} are no object`, { cause });

/** Returns its argument. Throws the StoreError of a damaged object. */
export function readable<T extends { readonly damage?: StoreError | undefined } | undefined>(read: T): T {
  if (read?.damage !== undefined) throw read.damage;
  return read;
}

/** Called with the reason why an object cannot be read. */
export type OnDamage = (damage: StoreError) => void;

/** The interval in ms between reports of the same damage, and the number of damages remembered. */
const APART = 60_000;
const REMEMBERED = 1000;

/** Reports the same damage at most once a minute. Otherwise every request would report damaged objects that decide about requests. */
export function seldom(report: OnDamage, clock: Pick<Clock, 'monotonic'>): OnDamage {
  const last = new Map<string, number>();
  return (damage) => {
    const now = clock.monotonic();
    if (now - (last.get(damage.message) ?? -Infinity) < APART) return;
    last.delete(damage.message);
    last.set(damage.message, now);
    if (last.size > REMEMBERED) last.delete(last.keys().next().value ?? '');
    report(damage);
  };
}

/** The readable objects. Calls `leaveOut` for each damaged one. Without it, throws the first damage. */
export function readableOf<T extends { readonly damage?: StoreError | undefined }>(
  read: readonly T[],
  leaveOut: OnDamage = (damage) => {
    throw damage;
  },
): T[] {
  return read.filter(({ damage }) => {
    if (damage !== undefined) leaveOut(damage);
    return damage === undefined;
  });
}

/** Upstream's name of the key. */
export function registryKey(key: string): string {
  const { group, resource, namespace, name } = parseKey(key);
  return ['/registry', group, resource, namespace, name].filter((part) => part !== '').join('/');
}

function versionIn(body: Uint8Array): Version | undefined {
  try {
    return stampedVersion(body);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
