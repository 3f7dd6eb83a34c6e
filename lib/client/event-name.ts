import { createHash } from 'node:crypto';

/** The name of an event about an object. It follows from the words of the event, so that every process finds the same. */
export function eventName(about: string, words: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return `${about}.${digest.slice(0, 16)}`;
}
