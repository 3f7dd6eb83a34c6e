import { CONFIG_MAPS } from '#lib/api/types/resources.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { unauthorized } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { type Lookup, RECENT } from '#lib/storage/lookup.ts';
import type { TokenAuthenticator } from '../authenticator.ts';
import { type AskedAuthenticator, cachedTokens } from '../cached-token.ts';
import type { HttpsGetter } from '../https-getter.ts';
import type { TokenCacheMetrics } from '../token-cache-metrics.ts';
import { type Principal, parsePrincipal } from './arn.ts';
import { type Identities, type IdentityMap, mappedUser, withOthers } from './identity-map.ts';
import { CLUSTER_HEADER, type PresignedUrl, readToken } from './presigned-url.ts';

/** The configuration of AWS tokens. */
export interface AwsIdentities {
  readonly map: IdentityMap;
  /** Where STS is reached, by whatever name tokens have it: an endpoint of one's own network. */
  readonly endpoint?: { readonly host: string; readonly port: number; readonly caBundle: string };
}

/** The ports of AWS tokens. */
export interface AwsPorts {
  readonly https: HttpsGetter;
  readonly clock: Clock;
  readonly tokenCache?: TokenCacheMetrics | undefined;
  /** Reads the ConfigMap kube-system/aws-auth; without it the map is all. */
  readonly lookup?: Pick<Lookup, 'named'> | undefined;
  /** Is told, once for each version of the ConfigMap, which of its entries do not count. Default nobody. */
  reportWarning?(text: string): void;
}

const TIMEOUT = 10_000;
const MAX_BYTES = 64 * 1024;
/** STS is asked about a token once in so many milliseconds; its age is looked at every time. */
const TTL = 60_000;
/** Characters of an answer that a refusal quotes at most. */
const QUOTED = 256;
/** A principal's id, and the name of its session where it has one. */
const USER_ID = /^(\w{1,128})(?::([\w+=,.@-]{1,64}))?$/;

/** Tokens of `aws eks get-token`: STS says who signed them, a map who that is here. */
export function awsTokens(
  { map, endpoint }: AwsIdentities,
  { https, clock, tokenCache, lookup, reportWarning }: AwsPorts,
): TokenAuthenticator {
  const others = lookup === undefined ? undefined : configMapOf(lookup, reportWarning);
  const ask = cachedTokens(
    async (token) => {
      const signed = readToken(token, map.partition, clock.now());
      if (signed === undefined) return undefined;
      const identity = await callerIdentity(signed, { map, ...defined({ endpoint }) }, https);
      if ('refused' in identity) return identity;
      return userOf(identity.result, { map, others }, signed.accessKeyId);
    },
    { clock, ttl: TTL, metrics: tokenCache },
  );
  return async (token, context) =>
    readToken(token, map.partition, clock.now()) === undefined ? undefined : ask(token, context);
}

async function callerIdentity(
  { url }: PresignedUrl,
  { map, endpoint }: AwsIdentities,
  https: HttpsGetter,
): Promise<{ readonly result: JsonObject } | { readonly refused: string }> {
  const { caBundle, ...connect } = endpoint ?? { caBundle: '' };
  const request = {
    url,
    caBundle,
    headers: { [CLUSTER_HEADER]: map.clusterId, accept: 'application/json' },
    timeout: TIMEOUT,
    maxBytes: MAX_BYTES,
    ...('host' in connect ? { connect } : {}),
  };
  const { status, body } = await https.get(request).catch((error: unknown) => {
    if (error instanceof TransportError) throw unauthorized(`aws: sts: ${error.message}`);
    throw error;
  });
  const fault = `aws: sts answered ${status}`;
  if (status === 403 || (status === 400 && !isThrottled(body))) return { refused: fault };
  if (status !== 200) throw unauthorized(fault);
  const answer = objectAt(decoded(body), 'GetCallerIdentityResponse');
  const result = objectAt(answer, 'GetCallerIdentityResult');
  if (result === undefined) throw unauthorized('aws: sts answered no identity');
  return { result };
}

/** STS throttles by status 400, and the next answer to the same token may be another. */
const isThrottled = (body: Uint8Array): boolean => Buffer.from(body).includes('Throttling');

/** An empty object for what is no JSON object, or says a field twice. */
function decoded(body: Uint8Array): JsonObject {
  try {
    const { value, duplicates } = decodeJson(body, { maxDepth: 16 });
    return isObject(value) && duplicates.length === 0 ? value : {};
  } catch (error) {
    if (error instanceof JsonSyntaxError) return {};
    throw error;
  }
}

const AWS_AUTH = { ...CONFIG_MAPS, namespace: 'kube-system' };
const NAME = 'aws-auth';

/** Characters of a warning at most: who may write the ConfigMap fills no log with it. */
const WARNED = 1024;

type OtherIdentities = Pick<Identities, 'principals' | 'accounts'>;

/** Reads the identities of the ConfigMap; undefined without one. Tells of wrong entries once a version. */
function configMapOf(lookup: Pick<Lookup, 'named'>, reportWarning: AwsPorts['reportWarning']) {
  let told: string | undefined;
  return async (): Promise<OtherIdentities | undefined> => {
    const found = (await lookup.named(AWS_AUTH, NAME, RECENT)).get(NAME); // anyone with an AWS account can cause this read
    if (found === undefined) return undefined;
    const { identitiesIn } = await import('./identity-map-file.ts'); // a cold start does not pay for its schemas
    const { faults, ...others } = identitiesIn(found.data);
    const version = found.metadata?.resourceVersion ?? '';
    if (faults.length > 0 && version !== told)
      reportWarning?.(
        `ConfigMap kube-system/aws-auth has entries that do not count: ${faults.join('; ')}`.slice(0, WARNED),
      );
    told = version;
    return others;
  };
}

interface Known extends Pick<AwsIdentities, 'map'> {
  readonly others: ReturnType<typeof configMapOf> | undefined;
}

/** The map, or where that does not know the principal, the map with the ConfigMap behind it. */
async function mapFor({ map, others }: Known, { canonicalArn }: Principal): Promise<IdentityMap> {
  const isOwn = map.principals.has(canonicalArn) || map.nodeRoles.has(canonicalArn);
  if (others === undefined || isOwn) return map;
  const found = await others();
  return found === undefined ? map : withOthers(map, found);
}

async function userOf(identity: JsonObject, given: Known, accessKeyId: string): ReturnType<AskedAuthenticator> {
  const [arn = '', account = '', id = ''] = ['Arn', 'Account', 'UserId'].map((field) => stringAt(identity, field));
  const principal = parsePrincipal(arn);
  if (principal === undefined || principal.account !== account || !arn.startsWith(`arn:${given.map.partition}:`))
    throw unauthorized(`aws: ${quote(arn.slice(0, QUOTED))} is nobody that can be mapped`);
  const known = mappedUser(await mapFor(given, principal), principal, accessKeyId);
  if (known === undefined) return { refused: `aws: ${principal.canonicalArn} is not in the map` };
  const [, principalId = '', sessionName = ''] = USER_ID.exec(id) ?? [];
  if (principalId === '') throw unauthorized(`aws: malformed UserID ${quote(id.slice(0, QUOTED))}`);
  const extra = { accessKeyId, arn, canonicalArn: principal.canonicalArn, principalId, sessionName };
  const told = Object.entries(extra).filter(([, value]) => value !== '');
  const user = {
    ...known,
    uid: `aws-iam-authenticator:${account}:${principalId}`,
    extra: Object.fromEntries(told.map(([key, value]) => [key, [value]])),
  };
  return { user };
}
