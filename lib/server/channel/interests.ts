import { createHash } from 'node:crypto';
import type { NetworkType } from './followed-types.ts';

/**
 * The objects, in addition to its pods, for which a node wants notifications, as one text. It contains a digest of eight characters per
 * object, in order. It contains no names, so readers of the connection records do not see names of Secrets. A leading `*` means every
 * object. Types that the node's network follows have a digest too.
 */
export type Interests = string;

/** An object about which a node wants notifications. */
export interface InterestingObject {
  readonly type: 'secrets' | 'configmaps';
  readonly namespace: string;
  readonly name: string;
}

/** Stores the interests of nodes for the senders of notifications. */
export interface InterestKeeper {
  /**
   * Replaces the interests of a node, for its current connections. Does nothing without a connection. Agents request it after each report
   * of an established channel, and once an hour. Throws StoreError.
   */
  keep(node: string, interests: Interests): Promise<void>;
}

const EVERYTHING = '*';
const LENGTH = 8;
/**
 * The maximum number of objects of one node. A node with more objects is notified of all objects. The limit keeps the text, which is stored
 * and read on each change, within 16 KiB.
 */
const MOST = 2_048;

/** Returns the interests in these objects, and in all objects of these types. Their order is irrelevant. */
export function interestsIn(objects: Iterable<InterestingObject>, types: Iterable<NetworkType> = []): Interests {
  const digests = new Set(Array.from(objects, digestOf));
  const whole = Array.from(types, digestOfType);
  if (digests.size > MOST) return `${EVERYTHING}${whole.sort().join('')}`;
  return [...digests, ...whole].sort().join('');
}

/** Whether an object is among the interests. With a probability of 10^-14 it wrongly returns true, which costs one poll. */
export function isInterestedIn(interests: Interests, object: InterestingObject): boolean {
  return interests.startsWith(EVERYTHING) || hasDigest(interests, digestOf(object));
}

/** Whether a node follows all objects of a network type. */
export const isFollowing = (interests: Interests, type: NetworkType): boolean =>
  hasDigest(interests.replace(EVERYTHING, ''), digestOfType(type));

function hasDigest(interests: Interests, digest: string): boolean {
  for (let at = interests.indexOf(digest); at >= 0; at = interests.indexOf(digest, at + 1))
    if (at % LENGTH === 0) return true;
  return false;
}

/** Returns a name for the interests, which changes when they change. */
export const nameOfInterests = (interests: Interests): string => digest(interests);

const digestOf = ({ type, namespace, name }: InterestingObject): string => digest(`${type}/${namespace}/${name}`);

const digestOfType = (type: NetworkType): string => digest(type);

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, LENGTH);
