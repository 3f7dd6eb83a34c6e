import { createServer } from 'node:https';
import { awsToken as stsToken } from '#test/support/aws-token.ts';
import { onLoopback } from '#test/support/loopback.ts';

export const ADMIN = 'arn:aws:iam::123456789012:role/Admin';
const SESSION = 'arn:aws:sts::123456789012:assumed-role/Admin/amy';
const ACCESS_KEY = 'AKIAEXAMPLE';
const HOST = 'sts.us-east-1.amazonaws.com';

/** Names that the certificate of a simulated STS must contain. */
export const STS_NAMES = [HOST, '127.0.0.1', 'localhost'];

/**
 * Simulates STS, but only identifies the signer of a request: Admin, or the function if it has a role and Admin did not sign the request.
 */
export async function startSts(identity: { readonly certificate: string; readonly key: string }) {
  let functionRole: string | undefined;
  const server = createServer({ cert: identity.certificate, key: identity.key }, ({ url = '' }, response) => {
    const isAdmin = functionRole === undefined || url.includes(ACCESS_KEY);
    const body = identityOf(isAdmin ? SESSION : sessionOf(functionRole ?? ''));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const { port, close } = await onLoopback(server);
  /** From now on, requests that Admin did not sign belong to this role. */
  const isOf = (arn: string): void => void (functionRole = arn);
  return { url: `https://127.0.0.1:${port}`, isOf, close };
}

const sessionOf = (role: string): string =>
  `${role.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/function`;

function identityOf(Arn: string): string {
  const result = { Arn, Account: Arn.split(':')[4], UserId: `AROAEXAMPLE:${Arn.split('/').at(-1)}` };
  return JSON.stringify({ GetCallerIdentityResponse: { GetCallerIdentityResult: result } });
}

/** A token for this STS. */
export const awsToken = (now: Date): string => stsToken(now, { host: HOST, region: 'us-east-1' });
