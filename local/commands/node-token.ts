import { randomInt } from 'node:crypto';
import { SECRETS } from '#lib/api/types/resources.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { ignore } from '#lib/client/ignore.ts';
import { isTokenOf, nodeTokenSecret } from '#lib/controllers/bootstrap-token/node-token.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A bootstrap token for one node. */
export interface IssuedToken {
  /** `id.secret`, which a kubelet presents. */
  readonly token: string;
  /** How many earlier tokens of the node were deleted. */
  readonly replaced: number;
  /** Deletes this token. */
  revoke(): Promise<void>;
}

/** Creates a token for a node, and deletes the node's earlier tokens. `expires` is in milliseconds since 1970. Throws StatusError. */
export async function issueToken(client: Client, node: string, expires: number): Promise<IssuedToken> {
  const tokens = await clientset(client).list(SECRETS, {
    namespace: 'kube-system',
    fieldSelector: 'type=bootstrap.kubernetes.io/token',
  });
  const earlier = tokens.filter((one) => isTokenOf(one, node));
  const [id, secret] = [random(6), random(16)];
  const created = await client.create(SECRETS, nodeTokenSecret({ node, id, secret, expires }));
  for (const one of earlier) await client.delete(refTo(one), { uid: uidOf(one) }).catch(unlessGone);
  return {
    token: `${id}.${secret}`,
    replaced: earlier.length,
    revoke: () => client.delete(refTo(created)).catch(unlessGone),
  };
}

const refTo = (secret: JsonObject): ObjectRef => ({
  resource: SECRETS,
  namespace: 'kube-system',
  name: nameOf(secret),
});

/** Ignores a token that is deleted, or that was replaced by another with the same name. */
const unlessGone = ignore('NotFound', 'Conflict');

const random = (length: number): string =>
  Array.from({ length }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
