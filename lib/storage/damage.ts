import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from './errors.ts';
import { parseKey } from './keys.ts';
import type { Summary, Version } from './sequence.ts';
import { stampedVersion } from './stamp.ts';

/** Stands for the body of a damaged object, which nobody reads. */
export const NO_BODY = new Uint8Array();

/** The summary of a damaged object that came without one. */
export const NO_SUMMARY: Summary = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };

const [OPEN, CLOSE] = [0x7b, 0x7d];

/**
 * Corrupt for bytes that cannot be the object of that key and version; undefined otherwise. It looks at their ends and at their
 * version, as every load can afford: whether they are JSON, whoever parses them tells.
 */
export function damageOf(key: string, version: Version, body: Uint8Array): StoreError | undefined {
  const looksWhole = body[0] === OPEN && body.at(-1) === CLOSE && versionIn(body) === version;
  return looksWhole ? undefined : damaged(key);
}

/** The error of an object whose stored bytes are no object. */
export const damaged = (key: string, cause?: unknown): StoreError =>
  new StoreError('Corrupt', `the stored bytes of key ${JSON.stringify(registryKey(key))} are no object`, { cause });

/** Returns what was read. Throws the StoreError of a damaged object. */
export function readable<T extends { readonly damage?: StoreError | undefined } | undefined>(read: T): T {
  if (read?.damage !== undefined) throw read.damage;
  return read;
}

/** Is told why an object cannot be read. */
export type OnDamage = (damage: StoreError) => void;

/** Milliseconds between two times that the same damage is told of, and how many kinds are remembered. */
const APART = 60_000;
const REMEMBERED = 1000;

/** Tells of each damage, but of the same one once a minute: what decides about requests is read with each of them. */
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

/** Those that can be read. Of each other one `leaveOut` is told; without it the damage of the first is thrown. */
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

/** The key as upstream would name it. */
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
