import { type FunctionConfiguration, InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { credentials, region } from '#test/support/ministack/start.ts';

const clientOf = (endpoint: string): LambdaClient => new LambdaClient({ endpoint, region, credentials });

async function named(client: LambdaClient, prefix: string): Promise<FunctionConfiguration | undefined> {
  const { Functions: all = [] } = await client.send(new ListFunctionsCommand({}));
  return all.find(({ FunctionName = '' }) => FunctionName.startsWith(prefix));
}

/** The ARN of the role of the function with this name prefix; undefined if there is none. */
export async function roleOf(endpoint: string, prefix: string): Promise<string | undefined> {
  return (await named(clientOf(endpoint), prefix))?.Role;
}

/** Triggers the hourly schedule of the function with this name prefix. */
export async function beginHourly(endpoint: string, prefix: string): Promise<void> {
  const client = clientOf(endpoint);
  const { FunctionName } = (await named(client, prefix)) ?? {};
  if (FunctionName === undefined) throw new Error(`no function ${prefix}…`);
  const Payload = JSON.stringify({ schedule: 'hourly' });
  const { FunctionError: fault } = await client.send(new InvokeCommand({ FunctionName, Payload }));
  if (fault !== undefined) throw new Error(`${FunctionName}: ${fault}`);
}
