import type { Secret } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { boundGroup, NODE_TOKENS } from '#lib/server/authentication/node-bootstrap.ts';
import { isToken, TYPE, valueOf } from './decide.ts';

/** A bootstrap token of one node. */
export interface NodeToken {
  readonly node: string;
  /** Six lower-case letters and digits. */
  readonly id: string;
  /** Sixteen lower-case letters and digits. */
  readonly secret: string;
  /** The expiry in ms since 1970. */
  readonly expires: number;
}

/** The Secret of a bootstrap token that can only obtain the client certificate of one node. */
export const nodeTokenSecret = ({ node, id, secret, expires }: NodeToken): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
  type: TYPE,
  stringData: {
    description: `Lets a host join as node ${node}, made by davit node add.`,
    'token-id': id,
    'token-secret': secret,
    expiration: timeOf(expires),
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': [NODE_TOKENS, boundGroup(node)].join(','),
  },
});

/** Whether the Secret is a bootstrap token bound to this node. */
export const isTokenOf = (secret: Secret, node: string): boolean =>
  isToken(secret) && valueOf(secret, 'auth-extra-groups').split(',').includes(boundGroup(node));
