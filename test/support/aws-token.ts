/** A token in the form of `aws eks get-token` for the name of an STS endpoint, without a valid signature. */
export function awsToken(now: Date, { host, region }: { readonly host: string; readonly region: string }): string {
  const date = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const query = new URLSearchParams({
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `AKIAEXAMPLE/${date.slice(0, 8)}/${region}/sts/aws4_request`,
    'X-Amz-Date': date,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
    'X-Amz-Signature': 'abc'.padEnd(64, '0'),
  });
  return `k8s-aws-v1.${Buffer.from(`https://${host}/?${query.toString()}`).toString('base64url')}`;
}
