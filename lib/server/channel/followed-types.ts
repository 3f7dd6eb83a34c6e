/** The types of objects that a node follows: itself, its pods, the objects to which they refer, and all objects of two types. */
export const FOLLOWED = ['nodes', 'pods', 'secrets', 'configmaps', 'services', 'runtimeclasses'] as const;

/**
 * Types of which a node follows all objects if its network needs them. `allnodes` and `allpods` are the Nodes and pods of all nodes. An
 * agent requests each type by its name in the query, so a node without a network causes no reads for them.
 */
export const NETWORK_TYPES = [
  'namespaces',
  'endpointslices',
  'servicecidrs',
  'networkpolicies',
  'allnodes',
  'allpods',
] as const;

/** A type that only a node's network follows. */
export type NetworkType = (typeof NETWORK_TYPES)[number];

/** All types that polls and notifications may contain. */
export const TYPES = [...FOLLOWED, ...NETWORK_TYPES] as const;

/** A type of objects that a node follows, by its resource. */
export type FollowedType = (typeof TYPES)[number];

/** Whether a poll returns the type only if the agent requests it. */
export const isNetworkType = (type: string): type is NetworkType => NETWORK_TYPES.some((one) => one === type);
