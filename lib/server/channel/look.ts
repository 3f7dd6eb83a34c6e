import * as z from 'zod';

const version = z.string().regex(/^\d{1,16}$/);

const state = z.object({
  /** The version of the type's log. While it is the same, no object of the type has changed. */
  version,
  /**
   * The versions of the node's objects, by `namespace/name`. Absent if the agent already has this version, and for types of which it
   * follows all objects.
   */
  objects: z.record(z.string().max(400), version).optional(),
});

/** The state of a type of objects that is relevant to a node. */
export type FollowedState = z.infer<typeof state>;

const look = z.object({
  kind: z.literal('NodeLook'),
  apiVersion: z.literal('node.davit.dev/v1'),
  /** The version of the node's own Node. Absent if the Node does not exist, and in responses of older servers. */
  nodes: state.optional(),
  pods: state,
  secrets: state,
  configmaps: state,
  services: state,
  runtimeclasses: state,
  /** Network types: absent if the agent did not request them, and in responses of older servers. */
  namespaces: state.optional(),
  endpointslices: state.optional(),
  servicecidrs: state.optional(),
  networkpolicies: state.optional(),
  allnodes: state.optional(),
  allpods: state.optional(),
  /**
   * The name of the interests for which the server notifies the node. '' if they could not be stored. Absent if the agent already has it.
   */
  interests: z
    .string()
    .regex(/^[\w-]{0,16}$/)
    .optional(),
});

/**
 * The response to a GET of `nodes/look`: the versions of everything that a node follows. An agent sends the versions that it has
 * (`?pods=12`), and the server reads objects only of types with a different version. Network types are returned only if the query contains
 * their names (`?endpointslices=`). An agent that wants notifications sends the name of the interests that the server stores for it, or an
 * empty name (`?interests=`).
 */
export type NodeLook = z.infer<typeof look>;

/** Decodes a server's poll response. Throws TypeError if it is invalid. */
export function decodeLook(body: unknown): NodeLook {
  const read = look.safeParse(body);
  if (!read.success) throw new TypeError('the server answers with no look', { cause: read.error });
  return read.data;
}
