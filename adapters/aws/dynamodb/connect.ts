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
  /** Absent: the region's own endpoint. */
  readonly endpoint?: string;
  readonly region?: string;
  /** Absent: the SDK's usual chain. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Milliseconds that one request may take. */
  readonly timeout?: number;
}

/** The date that requests made within its scope are signed with. */
const signingDate = new AsyncLocalStorage<Date>();

/**
 * A client that never retries by itself and signs with the date it is told. Correction of the clock's skew is off: it would
 * move the date of a request that was proven long ago into the server's window.
 */
export function dynamoClient({ endpoint, region, credentials, timeout = 5_000 }: Connection): DynamoDBClient {
  const client = new DynamoDBClient({
    ...defined({ endpoint, region, credentials }),
    maxAttempts: 1,
    disableClockSkewCorrection: true,
    sha256: Sha256,
    requestHandler: { requestTimeout: timeout, connectionTimeout: 2_000, throwOnRequestTimeout: true },
  });
  // It prepares every answer for a log that nobody keeps: a tenth of the time of a large query.
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

/** The port over a real client. */
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
