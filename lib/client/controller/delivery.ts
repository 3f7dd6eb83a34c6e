import { createHash } from 'node:crypto';
import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';
import type { Version } from '#lib/storage/sequence.ts';

const message = z.strictObject({
  reconciler: z.string().min(1),
  cluster: z.string().min(1),
  /** The place of the reconciled object. The key of a built-in reconciler is the name, and its namespace is empty. */
  namespace: z.string(),
  name: z.string(),
  /** The FIFO queue that it goes by, beside that of the built-in reconcilers. Default that one. */
  queue: z
    .string()
    .regex(/^[\w-]{1,75}\.fifo$/)
    .optional(),
  /** The change that is the reason: where it stands in which log. */
  sequence: z.string(),
  version: z.int().min(0),
  /** 1 at first. */
  attempt: z.int().min(1),
  /** It came, or comes, by way of `later`: a nonce of this sending. It is never dropped as known. */
  later: z.string().min(1).optional(),
  /** Milliseconds since 1970 when a reconciler asked for this one, to look again. */
  asked: z.int().optional(),
});

/** A message of a queue to a reconciler: small, and never with an object's body. */
export type ReconcileMessage = Readonly<z.infer<typeof message>>;

type Keyed = Pick<ReconcileMessage, 'reconciler' | 'cluster' | 'namespace' | 'name'>;

/** A first message about a change. */
export function messageOf(
  of: Keyed & { sequence: string; version: Version; queue?: string | undefined },
): ReconcileMessage {
  return { ...of, attempt: 1 };
}

/** The key that all messages of one object share within one process. */
export const requestKey = ({ reconciler, cluster, namespace, name }: Keyed): string =>
  JSON.stringify([reconciler, cluster, namespace, name]);

/** The FIFO group: messages of one object are worked on one after the other, others beside them. */
export function groupId({ reconciler, cluster, namespace, name }: Keyed): string {
  return sha256(`${reconciler}/${cluster}/${namespace}/${name}`);
}

/** The same change sent twice is one message; what came by way of `later` is one of its own. */
export function deduplicationId(of: ReconcileMessage): string {
  return sha256(of.later === undefined ? `${groupId(of)}/${of.sequence}/${of.version}` : `${groupId(of)}#${of.later}`);
}

/** The text of a message. */
export const encodeMessage = (of: ReconcileMessage): string => JSON.stringify(of);

/** Throws TypeError where the text is no message. */
export function decodeMessage(text: string): ReconcileMessage {
  const read = message.safeParse(parsed(text));
  if (read.success) return read.data;
  throw new TypeError(`no message for a reconciler: ${issuesText(read.error.issues)}`);
}

/** Undefined where the text is no message. */
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
