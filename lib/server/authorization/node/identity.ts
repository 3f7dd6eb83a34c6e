import type { User } from '#lib/server/authentication/user.ts';

const PREFIX = 'system:node:';
const NODES = 'system:nodes';

/** The user of a node's kubelet. */
export const nodeUser = (node: string): User => ({ name: `${PREFIX}${node}`, groups: [NODES] });

/** The node name of a kubelet user, which may be empty. Undefined for other users. Upstream's default node identifier. */
export const nodeNameOf = ({ name, groups }: User): string | undefined =>
  name.startsWith(PREFIX) && groups.includes(NODES) ? name.slice(PREFIX.length) : undefined;
