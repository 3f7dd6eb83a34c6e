import * as z from 'zod';
import type { Json } from '#lib/machinery/json-value.ts';
import { type FollowedType, TYPES } from './followed-types.ts';

/** The feature of a server that sends notifications, and of an agent that wants them. */
export const NOTIFICATIONS = 'rings';

/** The feature of a server that requires its agents to poll instead of watching, because a watch occupies a function. */
export const LOOKS = 'looks';

/**
 * The interval in ms in which nodes receive at most one notification for types that concern every node. After a notification, an agent
 * waits that long before it polls, so that the poll includes suppressed changes.
 */
export const COALESCED = 1_000;

/**
 * A notification: the types of which a relevant object changed, each with the latest version of the change. It contains no other data, so
 * it may be lost, repeated, late or forged. The node polls for the actual state.
 */
export type Notification = Readonly<Partial<Record<FollowedType, string>>>;

const ring = z.record(z.string(), z.unknown());
const version = z.string().regex(/^\d{1,16}$/);

/** Returns the types in a notification that this version of the agent follows. Returns none for an invalid notification. */
export function decodeNotification(body: Json): Notification {
  const read = ring.safeParse(body);
  if (!read.success) return {};
  const { data } = read;
  const known = TYPES.map((type) => [type, version.safeParse(data[type])] as const);
  return Object.fromEntries(known.flatMap(([type, one]) => (one.success ? [[type, one.data]] : [])));
}
