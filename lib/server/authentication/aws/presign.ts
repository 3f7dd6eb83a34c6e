import { defined } from '#lib/machinery/defined.ts';
import { CLUSTER_HEADER, PREFIX } from './presigned-url.ts';
import { scopeText, sha256, signatureOf, signingKey, timeOf, uriEncode } from './signature.ts';

/** AWS credentials that sign a token. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The parameters of a new token. */
export interface TokenRequest {
  readonly credentials: AwsCredentials;
  readonly region: string;
  /** The ID of the cluster for which the token is valid. */
  readonly clusterId: string;
  /** The current time in ms since 1970. */
  readonly now: number;
}

/** The lifetime of a token in ms. STS accepts it for 15 minutes, and clients renew it a minute earlier. */
const LIFETIME = 14 * 60 * 1000;
/** The validity in seconds in the URL. STS ignores it and uses the URL's date. */
const EXPIRES = '60';

/** A token in the format of `aws eks get-token`: a signed but unsent GetCallerIdentity request to STS for one cluster. */
export function awsToken(request: TokenRequest): { readonly token: string; readonly expires: number } {
  const url = presignedUrl(request);
  return { token: `${PREFIX}${Buffer.from(url).toString('base64url')}`, expires: request.now + LIFETIME };
}

/** Signature Version 4 in the query of a GET without a body. */
function presignedUrl({ credentials, region, clusterId, now }: TokenRequest): string {
  const host = `sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const scope = { time: timeOf(now), region, service: 'sts' };
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const parameters: Record<string, string> = {
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${scopeText(scope)}`,
    'X-Amz-Date': scope.time,
    'X-Amz-Expires': EXPIRES,
    ...defined({ 'X-Amz-Security-Token': sessionToken }),
    'X-Amz-SignedHeaders': `host;${CLUSTER_HEADER}`,
  };
  const query = Object.entries(parameters)
    .map(([name, value]) => `${uriEncode(name)}=${uriEncode(value)}`)
    .join('&');
  const headers = `host:${host}\n${CLUSTER_HEADER}:${clusterId}\n`;
  const canonical = ['GET', '/', query, headers, `host;${CLUSTER_HEADER}`, sha256('')].join('\n');
  const signature = signatureOf(canonical, scope, signingKey(secretAccessKey, scope));
  return `https://${host}/?${query}&X-Amz-Signature=${signature}`;
}
