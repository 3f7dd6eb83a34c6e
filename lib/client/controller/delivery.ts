import { createHash } from 'node:crypto';
import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';
import type { Version } from '#lib/storage/sequence.ts';

const message = z.strictObject({
  reconciler: z.string().min(1),
  cluster: z.string().min(1),
  /** The namespace of the reconciled object. Messages for built-in reconcilers have an empty namespace and the key as their name. */
  namespace: z.string(),
  name: z.string(),
  /** The FIFO queue of the message. Absent for the queue of the built-in reconcilers. */
  queue: z
    .string()
    .regex(/^[\w-]{1,75}\.fifo$/)
    .optional(),
  /** The log of the change that caused the message. `version` is the position there. */
  sequence: z.string(),
  version: z.int().min(0),
  /** The attempt number, starting at 1. */
  attempt: z.int().min(1),
  /** A nonce for each send, set if the message goes through `later`. Such a message is never dropped as already known. */
  later: z.string().min(1).optional(),
  /** The time, in ms since 1970, at which a reconciler requested this message with `requeueAfter`. */
  asked: z.int().optional(),
});

/** A queue message to a reconciler. It is small and never contains an object's body. */
export type ReconcileMessage = Readonly<z.infer<typeof message>>;

type Keyed = Pick<ReconcileMessage, 'reconciler' | 'cluster' | 'namespace' | 'name'>;

/** Creates the first message about a change. */
export function messageOf(
  of: Keyed & { sequence: string; version: Version; queue?: string | undefined },
): ReconcileMessage {
  return { ...of, attempt: 1 };
}

/** The key that all messages for one object share in a process. */
export const requestKey = ({ reconciler, cluster, namespace, name }: Keyed): string =>
  JSON.stringify([reconciler, cluster, namespace, name]);

/** The FIFO group. Messages for one object are processed one at a time, and messages for different objects in parallel. */
export function groupId({ reconciler, cluster, namespace, name }: Keyed): string {
  return sha256(`${reconciler}/${cluster}/${namespace}/${name}`);
}

/** The deduplication id. The same change sent twice counts as one message. A message through `later` is always distinct. */
export function deduplicationId(of: ReconcileMessage): string {
  return sha256(of.later === undefined ? `${groupId(of)}/${of.sequence}/${of.version}` : `${groupId(of)}#${of.later}`);
}

/** Serializes a message. */
export const encodeMessage = (of: ReconcileMessage): string => JSON.stringify(of);

/** Parses a message. Throws TypeError if the text is invalid. */
export function decodeMessage(text: string): ReconcileMessage {
  const read = message.safeParse(parsed(text));
  if (read.success) return read.data;
  throw new TypeError(`no message for a reconciler: ${issuesText(read.error.issues)}`);
}

/** Parses a message. Undefined if the text is invalid. */
export function messageIn(text: string): ReconcileMessage | undefined {
  try {
    return decodeMessage(text);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError('no message for a reconciler: not JSON', { cause: error });
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
