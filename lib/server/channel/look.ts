import * as z from 'zod';

const version = z.string().regex(/^\d{1,16}$/);

const state = z.object({
  /** The version of the type's log: while it stays, nothing of the type has changed. */
  version,
  /** The versions of the node's objects, by `namespace/name`. Absent where the agent knows this version, and of a type that it follows whole. */
  objects: z.record(z.string().max(400), version).optional(),
});

/** The state of a type of objects, as far as it concerns a node. */
export type FollowedState = z.infer<typeof state>;

const look = z.object({
  kind: z.literal('NodeLook'),
  apiVersion: z.literal('node.davit.dev/v1'),
  /** The version of the node's own Node. Absent where there is none, and of a server of an older version. */
  nodes: state.optional(),
  pods: state,
  secrets: state,
  configmaps: state,
  services: state,
  runtimeclasses: state,
  /** Types of the network: absent where the agent did not ask, and of a server of an older version. */
  namespaces: state.optional(),
  endpointslices: state.optional(),
  servicecidrs: state.optional(),
  networkpolicies: state.optional(),
  allnodes: state.optional(),
  allpods: state.optional(),
  /** A name for the interests by which the node is rung; '' where they could not be kept. Absent where the agent knows it. */
  interests: z
    .string()
    .regex(/^[\w-]{0,16}$/)
    .optional(),
});

/**
 * The answer to a GET of `nodes/look`: the versions of everything that a node follows. An agent that knows a version asks with
 * it (`?pods=12`), and objects are looked at only where there is another one. Types of the network are told only where the query has
 * their name (`?endpointslices=`). An agent that wants to be rung says so by the name of the
 * interests that the server keeps for it, or by none (`?interests=`).
 */
export type NodeLook = z.infer<typeof look>;

/** The look that a server answers with. Throws TypeError where it is none. */
export function decodeLook(body: unknown): NodeLook {
  const read = look.safeParse(body);
  if (!read.success) throw new TypeError('the server answers with no look', { cause: read.error });
  return read.data;
}
