import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTable } from '#adapters/aws/dynamodb/connect.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { systemClock } from '#adapters/clock.ts';
import { buildApiserver } from '#functions/apiserver/wiring.ts';
import { ControllerTokens } from '#functions/reconcilers/wiring.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { newAuthority } from '#local/certs.ts';
import { RunningControllers } from '#local/controllers.ts';
import { localClient, localTable } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { bundle } from '../../../infra/bundle/bundle.ts';
import type { FunctionOptions } from './environment.ts';
import { FunctionUrl } from './function-url.ts';
import { installRuntimeClient } from './install.ts';
import { ADMIN, awsToken, STS_NAMES, startSts } from './sts.ts';

export interface WorldOptions {
  /** The function's reserved concurrency. */
  readonly concurrency: number;
  /** Environment variables in addition to the required ones. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The API function behind a function URL, on DynamoDB Local, with the built-in controllers. Returns the reason if it is not available here.
 */
export async function startWorld({ concurrency, env }: WorldOptions) {
  const runtime = await installRuntimeClient();
  if ('missing' in runtime) return runtime;
  const database = await startDynamoDbLocal();
  if ('missing' in database) return database;
  const folder = mkdtempSync(join(tmpdir(), 'davit-lambda-'));
  const now = new Date();
  const authority = await newAuthority(now);
  const identity = await authority.issue({ name: 'function-url' }, STS_NAMES);
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.certificate);
  const code = join(folder, 'bundle');
  bundle('apiserver-function-url', code);
  const table = `davit-${randomUUID()}`;
  (await localTable(database.endpoint, table)).close();
  const sts = await startSts(identity);
  const options: FunctionOptions = {
    runtime: runtime.path,
    bundle: code,
    timeout: 330_000,
    env: {
      DAVIT_TABLE: table,
      DAVIT_CLUSTER_ID: 'test',
      DAVIT_ADMIN: ADMIN,
      AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
      AWS_ENDPOINT_URL_STS: sts.url,
      NODE_EXTRA_CA_CERTS: ca,
      ...env,
    },
  };
  const front = await FunctionUrl.listen({ ...identity, ...options, concurrency });
  const controllers = await startControllers(database.endpoint, table);
  const kubeconfig = join(folder, 'kubeconfig');
  const token = awsToken(now);
  writeFileSync(
    kubeconfig,
    kubeconfigOf({ name: 'davit', server: front.url, authority: authority.certificate, user: { token } }),
  );
  return {
    front,
    options,
    token,
    kubeconfig,
    async [Symbol.asyncDispose]() {
      await controllers.close();
      await front[Symbol.asyncDispose]();
      await sts.close();
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs the stream, the queues and the reconcilers' function in the test's process, with the same table. */
async function startControllers(endpoint: string, table: string) {
  const faults: unknown[] = [];
  const reportFault = (_: string, error: unknown): void => void faults.push(error);
  const tokens = new ControllerTokens();
  const store = dynamoStore(connectTable(localClient(endpoint), table), { clock: systemClock });
  const server = buildApiserver({
    store,
    clock: systemClock,
    exclusive: false,
    cacheBytes: 64 * 1024 * 1024,
    serverAddress: '127.0.0.1:443',
    tokens: new Map(tokens.users()),
    reportFault,
  });
  const signer = await newSigner(new Date());
  const controllers = await RunningControllers.start(server, {
    tokens,
    controllers: ['*'],
    reconcilers: [],
    log: { info() {}, error() {} },
    authority: signer.certificate,
    signer,
    address: { host: '127.0.0.1', port: 443 },
    clock: systemClock,
    sequences: await store.names(),
    reportFault,
  });
  return {
    async close() {
      await controllers.close();
      await server.close();
      await store.close();
    },
  };
}
