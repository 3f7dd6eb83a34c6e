import { createHash } from 'node:crypto';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';

/**
 * The name of an event: the name of the object and a suffix. If the result is not a valid event name, returns only the UUID (upstream:
 * util.GenerateEventName).
 */
export function generateEventName(about: string, suffix: string, uuid: () => string): string {
  const name = `${about}.${suffix}`;
  return isDNS1123Subdomain(name).length === 0 ? name : uuid();
}

/** A name derived from the content of an event, so that all processes compute the same name. */
export function eventName(about: string, words: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return generateEventName(about, digest.slice(0, 16), () => uuidOf(digest));
}

const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
