import type { Deployment } from './deployment.ts';

/**
 * Reports success to CloudFormation before the work starts. The work may take long and is retried after a failure, so no deployment waits
 * for it or is rolled back because of it.
 */
export async function answerDeployment({
  ResponseURL,
  StackId,
  RequestId,
  LogicalResourceId,
}: Deployment): Promise<void> {
  const PhysicalResourceId = LogicalResourceId;
  const answer = { Status: 'SUCCESS', StackId, RequestId, LogicalResourceId, PhysicalResourceId };
  // The URL is signed for a request without a content type.
  const { ok, status } = await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
  if (!ok) throw new TypeError(`CloudFormation took no answer: ${status}`);
}
