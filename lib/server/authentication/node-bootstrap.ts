import type { User } from './user.ts';

/** The group that kubeadm's tokens of nodes are in: its bindings let it ask for certificates of nodes. */
export const NODE_TOKENS = 'system:bootstrappers:kubeadm:default-node-token';
/** The group of all bootstrap tokens. */
export const BOOTSTRAPPERS = 'system:bootstrappers';
const BOUND = 'system:bootstrappers:davit:node:';

/**
 * The group of credentials that are bound to a node. The API server writes a user's groups into each certificate request, so that a request
 * tells which node its credential is for. A dot of the name becomes a colon: groups of tokens have no dots, names of nodes no colons.
 */
export const boundGroup = (node: string): string => `${BOUND}${node.replaceAll('.', ':')}`;

/** The names of the nodes that a user with these groups is bound to; none for a user that no credential of a node stands for. */
export const boundNodes = (groups: readonly string[]): readonly string[] =>
  groups.filter((group) => group.startsWith(BOUND)).map((group) => group.slice(BOUND.length).replaceAll(':', '.'));

/** Ids of EC2 instances. */
const INSTANCE = /^i-[0-9a-f]{8,17}$/;

/** Whether a text is the id of an EC2 instance: such an id is the name of a node, too. */
export const isInstanceId = (text: string): boolean => INSTANCE.test(text);

/** An EC2 instance that may get the client certificate of the node of its own id, and nothing else. */
export const instanceUser = (id: string): Pick<User, 'name' | 'groups'> => ({
  name: `system:bootstrap:${id}`,
  groups: [BOOTSTRAPPERS, boundGroup(id), NODE_TOKENS],
});
