/** The types of objects that a node follows: itself, pods bound to it, what they refer to, and all of two types. */
export const FOLLOWED = ['nodes', 'pods', 'secrets', 'configmaps', 'services', 'runtimeclasses'] as const;

/**
 * Types that a node follows whole where its network needs them; `allnodes` and `allpods` are those of all nodes. An agent asks for each by
 * its name in the query, so that a node without a network pays for none.
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

/** All types that looks and rings may tell of. */
export const TYPES = [...FOLLOWED, ...NETWORK_TYPES] as const;

/** A type of objects that a node follows, by its resource. */
export type FollowedType = (typeof TYPES)[number];

/** Whether a look tells of a type only where the agent asks for it. */
export const isNetworkType = (type: string): type is NetworkType => NETWORK_TYPES.some((one) => one === type);
