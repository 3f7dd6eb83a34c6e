import * as z from 'zod';
import type { Json } from '#lib/machinery/json-value.ts';
import { type FollowedType, TYPES } from './followed-types.ts';

/** Feature of a server that rings, and of an agent that wants to be rung. */
export const RINGS = 'rings';

/** Feature of a server that asks its agents to look instead of watching, because a watch occupies a function. */
export const LOOKS = 'looks';

/**
 * Milliseconds in which nodes are rung at most once for objects of a type that concerns every node. An agent looks no sooner than that
 * after such a ring, and sees what it was not rung for meanwhile.
 */
export const COALESCED = 1_000;

/**
 * A ring: the types of objects of which something that concerns the node changed, each with the version that it changed up to. It tells
 * nothing else, so that one may be lost, repeated, late or forged: the node looks, and a look says what there is.
 */
export type Ring = Readonly<Partial<Record<FollowedType, string>>>;

const ring = z.record(z.string(), z.unknown());
const version = z.string().regex(/^\d{1,16}$/);

/** The types of a ring that this version follows. A ring that is none is of no type. */
export function decodeRing(body: Json): Ring {
  const read = ring.safeParse(body);
  if (!read.success) return {};
  const { data } = read;
  const known = TYPES.map((type) => [type, version.safeParse(data[type])] as const);
  return Object.fromEntries(known.flatMap(([type, one]) => (one.success ? [[type, one.data]] : [])));
}
