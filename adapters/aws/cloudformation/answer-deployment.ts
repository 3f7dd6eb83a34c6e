import type { Deployment } from './deployment.ts';

/**
 * Tells CloudFormation to go on. It is told before the work is begun, which may take long and is done again where it fails: no
 * deployment waits for it, or is rolled back because of it.
 */
export async function answerDeployment({
  ResponseURL,
  StackId,
  RequestId,
  LogicalResourceId,
}: Deployment): Promise<void> {
  const PhysicalResourceId = LogicalResourceId;
  const answer = { Status: 'SUCCESS', StackId, RequestId, LogicalResourceId, PhysicalResourceId };
  // The URL is signed for no content type.
  const { ok, status } = await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
  if (!ok) throw new TypeError(`CloudFormation took no answer: ${status}`);
}
