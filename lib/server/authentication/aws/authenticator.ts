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
  /** A private endpoint for STS, which replaces the host in the token. */
  readonly endpoint?: { readonly host: string; readonly port: number; readonly caBundle: string };
}

/** The ports of AWS tokens. */
export interface AwsPorts {
  readonly https: HttpsGetter;
  readonly clock: Clock;
  readonly tokenCache?: TokenCacheMetrics | undefined;
  /** Reads the ConfigMap kube-system/aws-auth. If absent, only the map is used. */
  readonly lookup?: Pick<Lookup, 'named'> | undefined;
  /** Called once per version of the ConfigMap with its ignored entries. Optional. */
  reportWarning?(text: string): void;
}

const TIMEOUT = 10_000;
const MAX_BYTES = 64 * 1024;
/** The interval in ms at which STS is called for the same token. The token's age is checked on every request. */
const TTL = 60_000;
/** The maximum number of characters of a response in an error message. */
const QUOTED = 256;
/** A principal's ID and the name of its session, if it has one. */
const USER_ID = /^(\w{1,128})(?::([\w+=,.@-]{1,64}))?$/;

/** Authenticates tokens of `aws eks get-token`. STS returns the principal that signed the token, and a map contains its user. */
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

/** STS returns status 400 if it throttles. Its next response for the same token may differ. */
const isThrottled = (body: Uint8Array): boolean => Buffer.from(body).includes('Throttling');

/** Decodes a JSON object. Returns an empty object if the body is not one or has duplicate fields. */
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

/** The maximum length of a warning in characters, so that writers of the ConfigMap cannot fill the log. */
const WARNED = 1024;

type OtherIdentities = Pick<Identities, 'principals' | 'accounts'>;

/** Reads the identities in the ConfigMap. Undefined if it does not exist. Reports ignored entries once per version. */
function configMapOf(lookup: Pick<Lookup, 'named'>, reportWarning: AwsPorts['reportWarning']) {
  let told: string | undefined;
  return async (): Promise<OtherIdentities | undefined> => {
    const found = (await lookup.named(AWS_AUTH, NAME, RECENT)).get(NAME); // cached: anyone with an AWS account can trigger it
    if (found === undefined) return undefined;
    const { identitiesIn } = await import('./identity-map-file.ts'); // imported lazily, so that cold starts do not load its schemas
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

/** Returns the map. If it does not contain the principal, returns the map extended by the ConfigMap. */
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
