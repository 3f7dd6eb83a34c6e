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
