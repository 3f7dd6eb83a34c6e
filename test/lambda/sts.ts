import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A token as `aws eks get-token` makes it, signed by nobody. */
export function awsToken(now: Date): string {
  const date = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const query = new URLSearchParams({
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `AKIAEXAMPLE/${date.slice(0, 8)}/us-east-1/sts/aws4_request`,
    'X-Amz-Date': date,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
    'X-Amz-Signature': 'abc',
  });
  return `k8s-aws-v1.${Buffer.from(`https://${HOST}/?${query.toString()}`).toString('base64url')}`;
}
