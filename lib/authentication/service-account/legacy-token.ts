import { timingSafeEqual } from 'node:crypto';
import { notFound, unauthorized } from '#lib/machinery/errors.ts';
import { arrayAt, isObject, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, labelsOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import type { TokenAuthenticator, TokenContext } from '../authenticator.ts';
import type { User } from '../user.ts';
import type { ServiceAccountTokens } from './bound-token.ts';
import { signedTokens } from './signed-token.ts';
import { serviceAccountName, serviceAccountUser } from './user.ts';

/** The issuer of tokens that live in Secrets. */
export const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const CLAIM = `${LEGACY_ISSUER}/`;
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const LAST_USED = 'kubernetes.io/legacy-token-last-used';

/** The claims of the token that a Secret holds for as long as it and its account live. */
export function legacyClaims(account: JsonObject, namespace: string, secretName: string): JsonObject {
  return {
    iss: LEGACY_ISSUER,
    [`${CLAIM}namespace`]: namespace,
    [`${CLAIM}secret.name`]: secretName,
    [`${CLAIM}service-account.name`]: nameOf(account),
    [`${CLAIM}service-account.uid`]: uidOf(account),
    sub: serviceAccountName(namespace, nameOf(account)),
  };
}

export interface LegacyTokens extends Omit<ServiceAccountTokens, 'issuers'> {
  /** Labels the Secret with the day that its token was used. May fail: nothing depends on it. */
  label?(secret: { namespace: string; name: string; uid: string }, labels: Record<string, string>): Promise<void>;
}

/** Tokens of Secrets of the type kubernetes.io/service-account-token, equal to what the Secret holds. */
export function legacyTokens(given: LegacyTokens): TokenAuthenticator {
  return signedTokens({
    ...given,
    issuers: [LEGACY_ISSUER],
    identify: (claims, token, context) => identify(read(claims), token, { ...given, context }),
  });
}

interface Claims {
  readonly namespace: string;
  readonly secret: string;
  readonly account: { readonly name: string; readonly uid: string };
}

function read(claims: JsonObject): Claims {
  const subject = stringAt(claims, 'sub') ?? '';
  if (subject === '') throw unauthorized('sub claim is missing');
  const needed = (field: string, name: string): string => {
    const value = stringAt(claims, `${CLAIM}${field}`) ?? '';
    if (value === '') throw unauthorized(`${name} claim is missing`);
    return value;
  };
  const namespace = needed('namespace', 'namespace');
  const secret = needed('secret.name', 'secretName');
  const name = needed('service-account.name', 'serviceAccountName');
  const uid = needed('service-account.uid', 'serviceAccountUID');
  if (subject !== serviceAccountName(namespace, name)) throw unauthorized('sub claim is invalid');
  return { namespace, secret, account: { name, uid } };
}

type World = LegacyTokens & { readonly context: TokenContext };

async function identify({ namespace, secret, account }: Claims, token: string, world: World): Promise<User> {
  const held = await requireSecret(namespace, secret, token, world);
  const owner = await requireAccount(namespace, account, world);
  const said = labelsOf(held)[INVALID_SINCE] ?? '';
  await markUsed(namespace, held, world);
  if (said !== '') throw unauthorized(marked(namespace, secret, account.name));
  if (arrayAt(owner, 'secrets').some((one) => isObject(one) && stringAt(one, 'name') === secret))
    world.context.warn(
      'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.',
    );
  return serviceAccountUser({ namespace, account });
}

async function requireSecret(namespace: string, name: string, token: string, { lookup }: World): Promise<JsonObject> {
  const found = await lookup.find({ group: '', resource: 'secrets', namespace }, name);
  if (found === undefined || isDeleting(found)) throw unauthorized('Token has been invalidated');
  const held = Buffer.from(stringAt(objectAt(found, 'data'), 'token') ?? '', 'base64');
  const shown = Buffer.from(token);
  if (held.length !== shown.length || !timingSafeEqual(held, shown))
    throw unauthorized("Token does not match server's copy");
  return found;
}

async function requireAccount(namespace: string, { name, uid }: Claims['account'], { lookup }: World) {
  const found = await lookup.find({ group: '', resource: 'serviceaccounts', namespace }, name);
  if (found === undefined) throw unauthorized(notFound({ group: '', resource: 'serviceaccounts' }, name).message);
  if (isDeleting(found)) throw unauthorized(`ServiceAccount ${namespace}/${name} has been deleted`);
  if (uidOf(found) !== uid) throw unauthorized(`ServiceAccount UID (${uidOf(found)}) does not match claim (${uid})`);
  return found;
}

async function markUsed(namespace: string, secret: JsonObject, { clock, label }: World): Promise<void> {
  const day = (after: number): string => new Date(clock.now() + after).toISOString().slice(0, 10);
  const [today, tomorrow] = [day(0), day(86_400_000)];
  const last = labelsOf(secret)[LAST_USED];
  if (label === undefined || last === today || last === tomorrow) return;
  await label({ namespace, name: nameOf(secret), uid: uidOf(secret) }, { [LAST_USED]: today });
}

const marked = (namespace: string, secret: string, account: string): string =>
  `the token in secret ${namespace}/${secret} for service account ${namespace}/${account} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${INVALID_SINCE}' label from the secret to temporarily allow use of this token`;
