import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { answerDeployment } from './answer-deployment.ts';
import { deploymentOf } from './deployment.ts';

const taken: { readonly method: string | undefined; readonly type: string | undefined; readonly body: unknown }[] = [];
async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  const { method, headers, url } = request;
  taken.push({ method, type: headers['content-type'], body: JSON.parse(Buffer.concat(chunks).toString()) });
  response.writeHead(url === '/over' ? 403 : 200).end();
}
const cloudFormation = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
await once(cloudFormation, 'listening');
const url = `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}`;
afterAll(() => void cloudFormation.close());

const aDeployment = (path: string) => {
  const ids = { StackId: 'arn:aws:cloudformation:x', RequestId: '7', LogicalResourceId: 'Declared' };
  const event = { RequestType: 'Create', ResponseURL: `${url}/${path}`, ...ids, ResourceProperties: { Declared: 'x' } };
  const deployed = deploymentOf(event);
  if (deployed === undefined) throw new Error('no deployment');
  return { ids, deployed };
};

test('reports success to CloudFormation', async () => {
  const { ids, deployed } = aDeployment('signed');
  await answerDeployment(deployed);
  const body = { Status: 'SUCCESS', PhysicalResourceId: 'Declared', ...ids };
  expect(taken).toEqual([{ method: 'PUT', type: undefined, body }]);
});

test('fails the invocation if CloudFormation rejects the report, so that Lambda retries it', async () => {
  await expect(answerDeployment(aDeployment('over').deployed)).rejects.toThrow('CloudFormation took no answer: 403');
});
