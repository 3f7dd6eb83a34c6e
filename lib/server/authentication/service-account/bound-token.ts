import type { Clock } from '#lib/machinery/clock.ts';
import { notFound, unauthorized } from '#lib/machinery/errors.ts';
import { type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { deletionTimeOf, uidOf } from '#lib/machinery/meta.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { TokenAuthenticator, TokenContext } from '../authenticator.ts';
import { numericDate, struct, text } from '../claim-types.ts';
import { LEEWAY, periodFault } from '../jwt.ts';
import type { VerificationKey } from '../key.ts';
import type { User } from '../user.ts';
import { signedTokens } from './signed-token.ts';
import type { TokenUses } from './token-uses.ts';
import { type Named, serviceAccountUser } from './user.ts';

/** The configuration and ports of service account tokens. */
export interface ServiceAccountTokens {
  readonly issuers: readonly string[];
  keys(): Promise<readonly VerificationKey[]>;
  readonly audiences: readonly string[];
  /** Looks up accounts and the objects that tokens are bound to. */
  readonly lookup: Pick<Lookup, 'find' | 'findFresh'>;
  readonly clock: Clock;
  /** Counts uses of tokens. */
  readonly uses?: TokenUses | undefined;
}

const ref = struct('ref', { name: text, uid: text });
const CLAIM_TYPES = {
  'kubernetes.io': struct('kubernetes', {
    namespace: text,
    serviceaccount: ref,
    pod: ref,
    secret: ref,
    node: ref,
    warnafter: numericDate,
  }),
};

/** Authenticates TokenRequest tokens. They are valid until their expiry, or until their account, pod, secret or node is deleted. */
export function boundTokens(given: ServiceAccountTokens): TokenAuthenticator {
  return signedTokens({
    ...given,
    claimTypes: CLAIM_TYPES,
    identify: async (claims, _token, context) => {
      const user = await identify(claims, given);
      noteAge(claims, given, context);
      return user;
    },
  });
}

/** Counts the use of a token that its pod should have replaced. The token is valid for a year, but pods must replace it within an hour. */
function noteAge(claims: JsonObject, { clock, uses }: ServiceAccountTokens, context: TokenContext): void {
  const warnAfter = Number(ownField(objectAt(claims, 'kubernetes.io'), 'warnafter') ?? 0);
  if (!(warnAfter > 0)) return;
  const now = clock.now() / 1000;
  uses?.shown(now > warnAfter ? 'stale_tokens_total' : 'valid_tokens_total');
  if (now <= warnAfter) return;
  const late = `subject: ${stringAt(claims, 'sub') ?? ''}, seconds after warning threshold: ${Math.floor(now) - warnAfter}`;
  context.annotate?.('authentication.k8s.io/stale-token', late);
}

async function identify(claims: JsonObject, { lookup, clock }: ServiceAccountTokens): Promise<User> {
  const fault = periodFault(claims, clock.now() / 1000);
  if (fault !== undefined) throw unauthorized(`service account token ${fault === 'expired' ? 'has' : 'is'} ${fault}`);
  const own = objectAt(claims, 'kubernetes.io');
  const namespace = stringAt(own, 'namespace') ?? '';
  const account = reference(own, 'serviceaccount') ?? { name: '', uid: '' };
  const world = { lookup, before: clock.now() - LEEWAY * 1000 };
  await requireAccount(world, namespace, account);
  const [secret, pod, node] = [reference(own, 'secret'), reference(own, 'pod'), reference(own, 'node')];
  if (secret !== undefined) await requireBound(world, 'secret', namespace, secret);
  if (pod !== undefined) await requireBound(world, 'pod', namespace, pod);
  if (pod === undefined && node !== undefined) await requireBound(world, 'node', '', node);
  return serviceAccountUser({ namespace, account, pod, node, tokenId: stringAt(claims, 'jti') ?? '' });
}

function reference(claims: JsonObject | undefined, field: string): Named | undefined {
  const found = objectAt(claims, field);
  return found && { name: stringAt(found, 'name') ?? '', uid: stringAt(found, 'uid') ?? '' };
}

interface World {
  readonly lookup: ServiceAccountTokens['lookup'];
  /** The time in ms since 1970. If an object's deletion timestamp is earlier, its tokens are invalid. */
  readonly before: number;
}

async function requireAccount(world: World, namespace: string, { name, uid }: Named): Promise<void> {
  const found = await current(world, 'serviceaccounts', namespace, { name, uid });
  if (found === undefined) throw unauthorized(notFound({ group: '', resource: 'serviceaccounts' }, name).message);
  if (uidOf(found) !== uid) throw unauthorized(`service account UID (${uidOf(found)}) does not match claim (${uid})`);
  if (isGone(world, found)) throw unauthorized(`service account ${namespace}/${name} has been deleted`);
}

async function requireBound(world: World, kind: string, namespace: string, { name, uid }: Named): Promise<void> {
  const found = await current(world, `${kind}s`, namespace, { name, uid });
  if (found === undefined || (uidOf(found) === uid && isGone(world, found)))
    throw unauthorized('service account token has been invalidated');
  if (uidOf(found) === uid) return;
  const one = kind === 'pod' ? 'Pod' : kind;
  throw unauthorized(`${one} UID (${uidOf(found)}) does not match service account ${kind} ref claim (${uid})`);
}

/** The object in a recently read state. If its uid differs, reads it again, because it may have been recreated. */
async function current(
  { lookup }: World,
  resource: string,
  namespace: string,
  { name, uid }: Named,
): Promise<JsonObject | undefined> {
  const at = { group: '', resource, namespace };
  const seen = await lookup.find(at, name);
  return seen === undefined || uidOf(seen) === uid ? seen : lookup.findFresh(at, name);
}

function isGone({ before }: World, object: JsonObject): boolean {
  const time = deletionTimeOf(object);
  return time !== undefined && time.getTime() < before;
}
