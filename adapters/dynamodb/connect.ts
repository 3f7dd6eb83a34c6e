import { Exchange } from './exchange.ts';
import type { Answer, Table } from './port.ts';
import { serviceIn, type Connection, type Service } from './service.ts';
import { Signer } from './signer.ts';
import { answerOf, bodyOf, errorOf } from './wire.ts';

interface Connected {
  readonly signer: Signer;
  readonly exchange: Exchange;
}

/**
 * A table over the service's own protocol (docs/adr/0005): a request a call, sent once and signed with the date that it is told.
 * What is asked first finds out where the service is.
 */
export function connectTable(connection: Connection, name: string): Table {
  let connected: Promise<Connected> | undefined;
  const connectOnce = (): Promise<Connected> =>
    (connected ??= connect(connection).catch((error: unknown) => {
      connected = undefined;
      throw error;
    }));
  const call = async (operation: string, input: object, signedAt = Date.now()): Promise<Answer> => {
    const { signer, exchange } = await connectOnce();
    const body = bodyOf({ ...input, TableName: name });
    const headers = await signer.headers({ target: `DynamoDB_20120810.${operation}`, body, signedAt });
    const { status, text } = await exchange.post(headers, body);
    if (status !== 200) throw errorOf(status, text);
    return answerOf(text);
  };
  return {
    get: (input) => call('GetItem', input),
    query: (input) => call('Query', input),
    put: (input, { signedAt } = {}) => call('PutItem', input, signedAt),
    update: (input) => call('UpdateItem', input),
    delete: (input) => call('DeleteItem', input),
    close: () => void connected?.then(({ exchange }) => exchange.close()),
  };
}

async function connect(connection: Connection): Promise<Connected> {
  const service = serviceIn(process.env, connection) ?? (await sdkService(connection));
  return { signer: new Signer(service), exchange: new Exchange(service.endpoint, connection.timeout ?? 5_000) };
}

async function sdkService(connection: Connection): Promise<Service> {
  const loaded = await import('./sdk-service.ts');
  return loaded.sdkService(connection);
}
