import type { Secret } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { timeText } from '#lib/registry/rest/meta.ts';
import { isToken, TYPE, valueOf } from './decide.ts';

/** The group that kubeadm's tokens of nodes are in: its bindings let it ask for certificates of nodes. */
export const NODE_TOKENS = 'system:bootstrappers:kubeadm:default-node-token';
const BOUND = 'system:bootstrappers:davit:node:';

/**
 * The group of tokens that are bound to a node. The API server writes a user's groups into each certificate request, so that a request
 * tells which node its token is for. A dot of the name becomes a colon: groups of tokens have no dots, names of nodes no colons.
 */
const boundGroup = (node: string): string => `${BOUND}${node.replaceAll('.', ':')}`;

/** The names of the nodes that a user with these groups is bound to; none for a user that no token of a node stands for. */
export const boundNodes = (groups: readonly string[]): readonly string[] =>
  groups.filter((group) => group.startsWith(BOUND)).map((group) => group.slice(BOUND.length).replaceAll(':', '.'));

/** A bootstrap token of one node. */
export interface NodeToken {
  readonly node: string;
  /** Six lower-case letters and digits. */
  readonly id: string;
  /** Sixteen of them. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** The Secret of a bootstrap token that gets the client certificate of one node and nothing else. */
export const nodeTokenSecret = ({ node, id, secret, expires }: NodeToken): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
  type: TYPE,
  stringData: {
    description: `Lets a host join as node ${node}, made by davit node add.`,
    'token-id': id,
    'token-secret': secret,
    expiration: timeText(new Date(expires)),
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': [NODE_TOKENS, boundGroup(node)].join(','),
  },
});

/** Whether a Secret is a bootstrap token that is bound to this node. */
export const isTokenOf = (secret: Secret, node: string): boolean =>
  isToken(secret) && valueOf(secret, 'auth-extra-groups').split(',').includes(boundGroup(node));
