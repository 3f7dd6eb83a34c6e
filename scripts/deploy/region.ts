/** The message for a user without a configured region. */
export const NO_REGION =
  'no AWS region: set AWS_REGION, as in AWS_REGION=eu-west-1 npm run deploy -- -c admin=…, or region in the profile of ~/.aws/config';

/**
 * The region from the variables that the AWS CLI and CDK read, otherwise from `configured` (the profile); undefined if neither has one.
 * `configured` rejects if the profile has none.
 */
export async function regionOf(
  env: Readonly<Record<string, string | undefined>>,
  configured: () => Promise<string>,
): Promise<string | undefined> {
  const { AWS_REGION: own = '', AWS_DEFAULT_REGION: common = '' } = env;
  return own || common || configured().catch(() => undefined);
}
