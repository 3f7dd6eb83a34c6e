import { createHash } from 'node:crypto';
import type { NetworkType } from './followed-types.ts';

/**
 * The objects besides its pods that a node wants to be rung for, as one text: a digest of eight characters for each, in order. It names
 * no object, so that who sees the connections of nodes does not see their Secrets' names. A `*` before them is every object. Types that
 * the node's network follows have a digest too.
 */
export type Interests = string;

/** An object that a node may be interested in. */
export interface InterestingObject {
  readonly type: 'secrets' | 'configmaps';
  readonly namespace: string;
  readonly name: string;
}

/** Keeps the interests of nodes where those who ring find them. */
export interface InterestKeeper {
  /**
   * Keeps the interests of a node in place of those before, for the connections that it has now; without one, nothing. Agents ask for it
   * after each report that their channel stands, and once an hour. Throws StoreError.
   */
  keep(node: string, interests: Interests): Promise<void>;
}

const EVERYTHING = '*';
const LENGTH = 8;
/** Objects of one node; with more it is rung for all: 16 KiB of text are enough to keep and to read with each change. */
const MOST = 2_048;

/** The interests in these objects, and in all of these types: the same for the same ones in any order. */
export function interestsIn(objects: Iterable<InterestingObject>, types: Iterable<NetworkType> = []): Interests {
  const digests = new Set(Array.from(objects, digestOf));
  const whole = Array.from(types, digestOfType);
  if (digests.size > MOST) return `${EVERYTHING}${whole.sort().join('')}`;
  return [...digests, ...whole].sort().join('');
}

/** Whether an object is among the interests. By chance, once in 10^14, it says so of another one: a look more. */
export function isInterestedIn(interests: Interests, object: InterestingObject): boolean {
  return interests.startsWith(EVERYTHING) || hasDigest(interests, digestOf(object));
}

/** Whether a node follows all objects of a type of the network. */
export const isFollowing = (interests: Interests, type: NetworkType): boolean =>
  hasDigest(interests.replace(EVERYTHING, ''), digestOfType(type));

function hasDigest(interests: Interests, digest: string): boolean {
  for (let at = interests.indexOf(digest); at >= 0; at = interests.indexOf(digest, at + 1))
    if (at % LENGTH === 0) return true;
  return false;
}

/** A name for the interests: they have changed where it has. */
export const nameOfInterests = (interests: Interests): string => digest(interests);

const digestOf = ({ type, namespace, name }: InterestingObject): string => digest(`${type}/${namespace}/${name}`);

const digestOfType = (type: NetworkType): string => digest(type);

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, LENGTH);
