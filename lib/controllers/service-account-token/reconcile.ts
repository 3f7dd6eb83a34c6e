import { typedObject } from '#lib/api/typed.ts';
import type { Secret } from '#lib/api/types/core.v1.ts';
import { SECRETS, SERVICE_ACCOUNTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignore } from '#lib/client/ignore.ts';
import { nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { legacyClaims } from '#lib/server/authentication/service-account/legacy-token.ts';
import type { TokenIssuer } from '#lib/server/authentication/token-issuer.ts';
import { accountOf, belongs, filled, TYPE } from './decide.ts';

/** The token issuer, and the authority that is published with tokens. */
export interface TokenSecrets {
  readonly tokens: TokenIssuer;
  /** The PEM certificate of the server's authority. */
  readonly authority: string;
}

/**
 * Fills the token Secrets of service accounts and deletes them with their account: upstream's tokens controller. Keys are
 * `namespace/secret/account`. A key without a secret stands for all Secrets of the account.
 */
export function serviceAccountTokenController(untyped: Client, given: TokenSecrets): Reconciler {
  const client = clientset(untyped);
  return {
    name: 'serviceaccount-token',
    keys,
    async reconcile(key) {
      const [namespace = '', secret = '', account = ''] = key.split('/');
      if (secret !== '') await reconcileSecret(client, given, { namespace, secret, account });
      else
        for (const one of await secretsOf(client, namespace, account)) await fillOrEnd(client, given, namespace, one);
      return undefined;
    },
  };
}

function keys({ type, group, resource, namespace, name, mentions, object }: ObjectChange): readonly string[] {
  if (group !== '') return [];
  if (resource === SERVICE_ACCOUNTS.resource) return type === 'DELETED' ? [`${namespace}//${name}`] : [];
  if (resource !== SECRETS.resource || !mentions(TYPE)) return [];
  const account = accountOf(typedObject(SECRETS, object()));
  return account === '' ? [] : [`${namespace}/${name}/${account}`];
}

interface SecretPlace {
  readonly namespace: string;
  readonly secret: string;
  readonly account: string;
}

async function reconcileSecret(client: Clientset, given: TokenSecrets, place: SecretPlace): Promise<void> {
  const { namespace, secret: name } = place;
  const secret = await client.get({ resource: SECRETS, namespace, name });
  if (secret === undefined) await forget(client, place);
  else if (accountOf(secret) !== '') await fillOrEnd(client, given, namespace, secret);
}

async function secretsOf(client: Clientset, namespace: string, account: string): Promise<readonly Secret[]> {
  const all = await client.list(SECRETS, { namespace, fieldSelector: `type=${TYPE}` });
  return all.filter((secret) => accountOf(secret) === account);
}

async function fillOrEnd(client: Clientset, given: TokenSecrets, namespace: string, secret: Secret): Promise<void> {
  const { tokens, authority } = given;
  const ref = { resource: SECRETS, namespace, name: nameOf(secret) };
  const account = await client.get({ resource: SERVICE_ACCOUNTS, namespace, name: accountOf(secret) });
  if (account === undefined || !belongs(secret, account)) {
    await client.delete(ref, { uid: uidOf(secret) }).catch(unlessGone);
    return;
  }
  const sign = (): Promise<string> => tokens.sign(legacyClaims(account, namespace, nameOf(secret)));
  const right = await filled(secret, account, { authority, sign });
  if (right !== undefined) await client.update(ref, right).catch(unlessGone);
}

/** Ignores a concurrent write or deletion. Its change triggers another reconciliation. */
const unlessGone = ignore('NotFound', 'Conflict');

/** Removes a deleted Secret from its account's list. */
async function forget(client: Clientset, { namespace, secret, account: name }: SecretPlace): Promise<void> {
  const ref = { resource: SERVICE_ACCOUNTS, namespace, name };
  const account = await client.get(ref);
  const held = account?.secrets ?? [];
  const secrets = held.filter((one) => one.name !== secret);
  if (account === undefined || secrets.length === held.length) return;
  await client.patch(ref, { metadata: { resourceVersion: resourceVersionOf(account) }, secrets });
}
