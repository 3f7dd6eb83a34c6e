import { AsyncLocalStorage } from 'node:async_hooks';
import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { defined } from '#lib/machinery/defined.ts';
import type { Table } from './port.ts';
import { Sha256 } from './sha256.ts';

/** The endpoint and credentials of DynamoDB. */
export interface Connection {
  /** Default: the region's own endpoint. */
  readonly endpoint?: string;
  readonly region?: string;
  /** Default: the SDK's usual credential chain. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Time-out of one request in ms. */
  readonly timeout?: number;
}

/** The signing date of requests that are sent within its scope. */
const signingDate = new AsyncLocalStorage<Date>();

/**
 * Returns a client that never retries by itself and signs with the date set by the caller. Clock skew correction is off, because it would
 * change the date of a request with an expired proof to one that the server accepts.
 */
export function dynamoClient({ endpoint, region, credentials, timeout = 5_000 }: Connection): DynamoDBClient {
  const client = new DynamoDBClient({
    ...defined({ endpoint, region, credentials }),
    maxAttempts: 1,
    disableClockSkewCorrection: true,
    sha256: Sha256,
    requestHandler: { requestTimeout: timeout, connectionTimeout: 2_000, throwOnRequestTimeout: true },
  });
  // This middleware formats every response for a log that is not used, which takes a tenth of the time of a large query.
  client.middlewareStack.remove('loggerMiddleware');
  const { config } = client;
  const usual = config.signer;
  config.signer = async (scheme) => {
    const signer = await usual(scheme);
    return { sign: (request, options) => signer.sign(request, withDate(options)) };
  };
  return client;
}

function withDate<T extends object>(options: T | undefined): T & { signingDate?: Date } {
  const date = signingDate.getStore();
  return { ...(options ?? ({} as T)), ...defined({ signingDate: date }) };
}

/** Implements the port with a real client. */
export function connectTable(client: DynamoDBClient, name: string): Table {
  const TableName = name;
  return {
    get: (input) => client.send(new GetItemCommand({ ...input, TableName })),
    query: (input) => client.send(new QueryCommand({ ...input, TableName })),
    put: (input, { signedAt } = {}) => {
      const send = () => client.send(new PutItemCommand({ ...input, TableName }));
      return signedAt === undefined ? send() : signingDate.run(new Date(signedAt), send);
    },
    update: (input) => client.send(new UpdateItemCommand({ ...input, TableName })),
    delete: (input) => client.send(new DeleteItemCommand({ ...input, TableName })),
    close: () => client.destroy(),
  };
}
