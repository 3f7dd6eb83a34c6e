import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Connection, Service } from './service.ts';

/** As the SDK finds it: in profiles, roles of containers and machines, and wherever else it looks. */
export async function sdkService({ endpoint, region, credentials }: Connection): Promise<Service> {
  const { config } = new DynamoDBClient({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  const [Region, UseDualStack, UseFIPS] = await Promise.all([
    config.region(),
    config.useDualstackEndpoint(),
    config.useFipsEndpoint(),
  ]);
  const told = endpoint ?? process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? process.env['AWS_ENDPOINT_URL'];
  const { url } = config.endpointProvider({
    Region,
    UseDualStack,
    UseFIPS,
    ...(told === undefined ? {} : { Endpoint: told }),
  });
  return { endpoint: url, region: Region, credentials: () => config.credentials() };
}
