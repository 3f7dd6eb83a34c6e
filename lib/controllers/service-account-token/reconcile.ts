import { legacyClaims } from '#lib/authentication/service-account/legacy-token.ts';
import type { TokenIssuer } from '#lib/authentication/token-issuer.ts';
import type { Client } from '#lib/client/client.ts';
import { ignore } from '#lib/client/ignore.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import { arrayAt, isObject, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { accountOf, belongs, filled, TYPE } from './decide.ts';

const SECRETS = { group: '', version: 'v1', resource: 'secrets' };
const ACCOUNTS = { group: '', version: 'v1', resource: 'serviceaccounts' };

export interface TokenSecrets {
  readonly tokens: TokenIssuer;
  /** The certificate that signs the server's, PEM. */
  readonly authority: string;
}

/**
 * Fills Secrets of service accounts' tokens and ends them with their account: upstream's tokens controller. Keys are
 * `namespace/secret/account`; without a secret all that the account has.
 */
export function serviceAccountTokenController(client: Client, given: TokenSecrets): Reconciler {
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
  if (resource === ACCOUNTS.resource) return type === 'DELETED' ? [`${namespace}//${name}`] : [];
  if (resource !== SECRETS.resource || !mentions(TYPE)) return [];
  const account = accountOf(object());
  return account === '' ? [] : [`${namespace}/${name}/${account}`];
}

interface Place {
  readonly namespace: string;
  readonly secret: string;
  readonly account: string;
}

async function reconcileSecret(client: Client, given: TokenSecrets, place: Place): Promise<void> {
  const { namespace, secret: name } = place;
  const secret = await client.get({ resource: SECRETS, namespace, name });
  if (secret === undefined) await forget(client, place);
  else if (accountOf(secret) !== '') await fillOrEnd(client, given, namespace, secret);
}

async function secretsOf(client: Client, namespace: string, account: string): Promise<readonly JsonObject[]> {
  const all = await client.list(SECRETS, { namespace, fieldSelector: `type=${TYPE}` });
  return all.filter((secret) => accountOf(secret) === account);
}

async function fillOrEnd(client: Client, given: TokenSecrets, namespace: string, secret: JsonObject): Promise<void> {
  const { tokens, authority } = given;
  const ref = { resource: SECRETS, namespace, name: nameOf(secret) };
  const account = await client.get({ resource: ACCOUNTS, namespace, name: accountOf(secret) });
  if (account === undefined || !belongs(secret, account)) {
    await client.delete(ref, { uid: uidOf(secret) }).catch(unlessGone);
    return;
  }
  const sign = (): Promise<string> => tokens.sign(legacyClaims(account, namespace, nameOf(secret)));
  const right = await filled(secret, account, { authority, sign });
  if (right !== undefined) await client.update(ref, right).catch(unlessGone);
}

/** Who was written or went meanwhile comes again. */
const unlessGone = ignore('NotFound', 'Conflict');

/** The account names a Secret no more that is not there. */
async function forget(client: Client, { namespace, secret, account: name }: Place): Promise<void> {
  const ref = { resource: ACCOUNTS, namespace, name };
  const account = await client.get(ref);
  const held = arrayAt(account, 'secrets');
  const secrets = held.filter((one) => !isObject(one) || stringAt(one, 'name') !== secret);
  if (account === undefined || secrets.length === held.length) return;
  await client.patch(ref, { metadata: { resourceVersion: resourceVersionOf(account) }, secrets });
}
