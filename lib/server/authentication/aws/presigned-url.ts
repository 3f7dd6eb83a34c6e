import { unauthorized } from '#lib/machinery/errors.ts';

/** The hosts of STS by partition. No other host is ever called. */
const HOSTS: Readonly<Record<Partition, RegExp>> = {
  aws: /^sts(-fips)?\.([a-z]{2}-[a-z]+-\d\.)?amazonaws\.com$|^sts\.[a-z]{2}-[a-z]+-\d\.api\.aws$/,
  'aws-cn': /^sts\.cn-[a-z]+-\d\.amazonaws\.com\.cn$/,
  'aws-us-gov': /^sts(-fips)?\.us-gov-[a-z]+-\d\.amazonaws\.com$/,
  'aws-iso': /^sts\.us-iso-[a-z]+-\d\.c2s\.ic\.gov$/,
  'aws-iso-b': /^sts\.us-isob-[a-z]+-\d\.sc2s\.sgov\.gov$/,
};
/** An AWS partition with a known STS host. */
export type Partition = 'aws' | 'aws-cn' | 'aws-us-gov' | 'aws-iso' | 'aws-iso-b';

/** The partition of an ARN. Throws TypeError if its STS host is unknown. */
export function partitionOf(arn: string): Partition {
  const partition = arn.split(':')[1] ?? '';
  if (!isPartition(partition)) throw new TypeError(`${JSON.stringify(arn)} is of a partition whose STS is not known`);
  return partition;
}

const isPartition = (name: string): name is Partition => Object.hasOwn(HOSTS, name);

/** The prefix of tokens. */
export const PREFIX = 'k8s-aws-v1.';
/** The signed header that contains the cluster ID. */
export const CLUSTER_HEADER = 'x-k8s-aws-id';
/** Whether a text is a valid cluster ID, which is safe as a header value and as a shell word. */
export const isClusterId = (text: string): boolean => /^[\w.-]{1,100}$/.test(text);

const LONGEST = 4096;
/** The time in ms for which STS accepts a request, regardless of the validity in its URL. */
const LIFETIME = 15 * 60 * 1000;
const AHEAD = 5 * 60 * 1000;
const PARAMETERS: ReadonlySet<string> = new Set([
  'action',
  'version',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-security-token',
  'x-amz-signature',
  'x-amz-signedheaders',
  'x-amz-user-agent',
]);

/** The URL in a token and its validated parts. */
export interface PresignedUrl {
  readonly url: string;
  readonly accessKeyId: string;
}

const fault = (why: string) => unauthorized(`aws: ${why}`);

/**
 * Reads the request in a token of `aws eks get-token`. Undefined for other tokens. Throws StatusError (401) unless it is a recent
 * GetCallerIdentity request to STS for a cluster.
 */
export function readToken(token: string, partition: Partition, now: number): PresignedUrl | undefined {
  if (!token.startsWith(PREFIX)) return undefined;
  if (token.length > LONGEST) throw fault('token is too large');
  const encoded = token.slice(PREFIX.length);
  if (!/^[\w-]+$/.test(encoded)) throw fault('token is not base64url');
  const text = Buffer.from(encoded, 'base64url').toString();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.href !== text) throw fault('token holds no URL in its plain form');
  requirePlace(url, partition);
  const parameters = parametersOf(url);
  requireQuestion(parameters);
  requireSignature(parameters);
  requireTime(parameters, now);
  return { url: text, accessKeyId: parameters('x-amz-credential').split('/')[0] ?? '' };
}

function requirePlace(url: URL, partition: Partition): void {
  if (url.protocol !== 'https:') throw fault(`unexpected scheme "${url.protocol}" in pre-signed URL`);
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '')
    throw fault('unexpected part in pre-signed URL');
  if (!HOSTS[partition].test(url.hostname)) throw fault(`unexpected hostname "${url.hostname}" in pre-signed URL`);
  if (url.pathname !== '/') throw fault('unexpected path in pre-signed URL');
}

/** Rejects duplicate and unknown parameters. The returned function returns '' for a missing one. */
function parametersOf(url: URL): (name: string) => string {
  const found = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    const lower = name.toLowerCase();
    if (!PARAMETERS.has(lower)) throw fault(`non-whitelisted query parameter ${JSON.stringify(name)}`);
    if (found.has(lower)) throw fault(`query parameter ${JSON.stringify(name)} is there twice`);
    found.set(lower, value);
  }
  return (name) => found.get(name) ?? '';
}

function requireQuestion(parameters: (name: string) => string): void {
  if (parameters('action') !== 'GetCallerIdentity') throw fault('unexpected action parameter in pre-signed URL');
  if (parameters('x-amz-algorithm') !== 'AWS4-HMAC-SHA256') throw fault('unexpected algorithm in pre-signed URL');
  if (!/^\w{4,128}\/\d{8}\/[a-z0-9-]+\/sts\/aws4_request$/.test(parameters('x-amz-credential')))
    throw fault('malformed X-Amz-Credential parameter in pre-signed URL');
  const signed = parameters('x-amz-signedheaders').split(';');
  if (!signed.includes(CLUSTER_HEADER))
    throw fault(`client did not sign the ${CLUSTER_HEADER} header in the pre-signed URL`);
  if (!signed.includes('host')) throw fault('client did not sign the host header in the pre-signed URL');
}

/** Rejects, without a call, requests that STS would reject without looking up the key. */
function requireSignature(parameters: (name: string) => string): void {
  const [, day = ''] = parameters('x-amz-credential').split('/');
  if (!parameters('x-amz-date').startsWith(`${day}T`))
    throw fault('X-Amz-Credential is of another day than X-Amz-Date');
  if (!/^[0-9a-f]{64}$/.test(parameters('x-amz-signature')))
    throw fault('malformed X-Amz-Signature parameter in pre-signed URL');
}

function requireTime(parameters: (name: string) => string, now: number): void {
  const text = parameters('x-amz-expires');
  const seconds = Number(text);
  if (!/^\d{1,6}$/.test(text) || seconds > 900)
    throw fault(`invalid X-Amz-Expires parameter in pre-signed URL: ${text}`);
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parameters('x-amz-date')) ?? [];
  const date = y === undefined ? Number.NaN : Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  if (Number.isNaN(date)) throw fault('error parsing X-Amz-Date parameter in pre-signed URL');
  if (now > date + LIFETIME) throw fault('X-Amz-Date parameter is expired (15 minutes)');
  if (date > now + AHEAD) throw fault('X-Amz-Date parameter is in the future');
}
