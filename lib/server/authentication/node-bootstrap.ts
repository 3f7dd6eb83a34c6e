import type { User } from './user.ts';

/** The group of kubeadm's node tokens, whose bindings allow requests for node certificates. */
export const NODE_TOKENS = 'system:bootstrappers:kubeadm:default-node-token';
/** The group of all bootstrap tokens. */
export const BOOTSTRAPPERS = 'system:bootstrappers';
const BOUND = 'system:bootstrappers:davit:node:';

/**
 * The group of credentials that are bound to a node. The API server copies a user's groups into each certificate request, so the request
 * contains the node of its credential. Dots in the node's name become colons. Token groups cannot contain dots, and node names cannot
 * contain colons.
 */
export const boundGroup = (node: string): string => `${BOUND}${node.replaceAll('.', ':')}`;

/** The names of the nodes to which a user with these groups is bound. Empty for credentials without a node. */
export const boundNodes = (groups: readonly string[]): readonly string[] =>
  groups.filter((group) => group.startsWith(BOUND)).map((group) => group.slice(BOUND.length).replaceAll(':', '.'));

/** The format of EC2 instance IDs. */
const INSTANCE = /^i-[0-9a-f]{8,17}$/;

/** Whether a text is an EC2 instance ID. Every instance ID is also a valid node name. */
export const isInstanceId = (text: string): boolean => INSTANCE.test(text);

/** The user of an EC2 instance. It may only get the client certificate of the node with its instance ID. */
export const instanceUser = (id: string): Pick<User, 'name' | 'groups'> => ({
  name: `system:bootstrap:${id}`,
  groups: [BOOTSTRAPPERS, boundGroup(id), NODE_TOKENS],
});
