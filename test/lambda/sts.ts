import { createServer } from 'node:https';
import { awsToken as stsToken } from '#test/aws-token.ts';
import { onLoopback } from '#test/loopback.ts';

export const ADMIN = 'arn:aws:iam::123456789012:role/Admin';
const SESSION = 'arn:aws:sts::123456789012:assumed-role/Admin/amy';
const HOST = 'sts.us-east-1.amazonaws.com';

/** Names that the certificate of a stand-in for STS must hold. */
export const STS_NAMES = [HOST, '127.0.0.1', 'localhost'];

/** STS, as far as it says who signed a request: whatever was signed, by Admin. */
export async function startSts(identity: { readonly certificate: string; readonly key: string }) {
  const result = { Arn: SESSION, Account: '123456789012', UserId: 'AROAEXAMPLE:amy' };
  const body = JSON.stringify({ GetCallerIdentityResponse: { GetCallerIdentityResult: result } });
  const server = createServer({ cert: identity.certificate, key: identity.key }, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const { port, close } = await onLoopback(server);
  return { url: `https://127.0.0.1:${port}`, close };
}

/** A token of whoever is said above. */
export const awsToken = (now: Date): string => stsToken(now, { host: HOST, region: 'us-east-1' });
