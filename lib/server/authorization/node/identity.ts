import type { User } from '#lib/server/authentication/user.ts';

const PREFIX = 'system:node:';
const NODES = 'system:nodes';

/** The user that a node's kubelet acts as. */
export const nodeUser = (node: string): User => ({ name: `${PREFIX}${node}`, groups: [NODES] });

/** The name of the node that the user is, which may be empty; undefined for anyone else. Upstream's default node identifier. */
export const nodeNameOf = ({ name, groups }: User): string | undefined =>
  name.startsWith(PREFIX) && groups.includes(NODES) ? name.slice(PREFIX.length) : undefined;
