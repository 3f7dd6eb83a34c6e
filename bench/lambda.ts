import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { connectTable } from '#adapters/aws/dynamodb/connect.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { functionUrlEvent } from '#adapters/aws/lambda/testing.ts';
import { systemClock } from '#adapters/clock.ts';
import { coreInProcess, TOKEN } from '#test/clients/integration/apiserver/in-process.ts';
import { localClient } from '#test/support/dynamodb-local/fixture.ts';
import { Environment, type FunctionOptions } from '#test/support/lambda/environment.ts';
import { awsToken } from '#test/support/lambda/sts.ts';
import { startWorld } from '#test/support/lambda/world.ts';
import { quantile } from './samples.ts';

const RUNS = 11;
const WARM = 300;
const TARGET = '/api/v1/namespaces/default/configmaps/measured';

/**
 * Measures the bundle in Lambda's own runtime: elapsed time and processor time until the first response, and for each later one. `beside`
 * is the folder of another bundle of the same function. The two are measured in alternate rounds.
 */
export async function measureLambda(beside: string | undefined): Promise<void> {
  const world = await startWorld({ concurrency: 2, env: {} });
  if ('missing' in world) throw new Error(world.missing);
  await using _ = world;
  const { options } = world;
  await makeConfigMap(options, tokenNow());
  await fold(options);
  const bundles = [options.bundle, ...(beside === undefined ? [] : [resolve(beside)])];
  const runs: Run[][] = bundles.map(() => []);
  for (let i = 0; i < RUNS; i++)
    for (const [at, bundle] of bundles.entries()) runs[at]?.push(await measured({ ...options, bundle }));
  for (const [at, bundle] of bundles.entries()) print(bundle, runs[at] ?? [], runs[0] ?? []);
  console.log(`warm, in process, in memory: ${(await warmInProcess()).toFixed(2)} ms`);
}

/** Processor time in ms. */
interface Run {
  readonly ready: number;
  readonly first: number;
  readonly warm: number;
}

const NAMES = {
  ready: 'until it waits for events, with the runtime itself',
  first: 'until the first answer',
  warm: 'a warm GET',
} as const satisfies Record<keyof Run, string>;

const tokenNow = (): string => awsToken(new Date());

async function measured(options: FunctionOptions): Promise<Run> {
  const token = tokenNow();
  const environment = await Environment.start(options);
  const ready = processorTime(environment.pid);
  await get(environment, token);
  const first = processorTime(environment.pid);
  for (let i = 0; i < WARM; i++) await get(environment, token);
  const before = processorTime(environment.pid);
  for (let i = 0; i < WARM; i++) await get(environment, token);
  const warm = (processorTime(environment.pid) - before) / WARM;
  await environment.stop();
  return { ready, first, warm };
}

/** Computes ratios from pairs that were measured at about the same time. */
function print(bundle: string, runs: readonly Run[], own: readonly Run[]): void {
  console.log(bundle);
  for (const what of ['ready', 'first', 'warm'] as const) {
    const times = runs.map((run) => run[what]);
    const ratios = runs.map((run, i) => run[what] / (own[i]?.[what] ?? Number.NaN));
    const ratio = runs === own ? '' : `, ${quantile(ratios, 0.5).toFixed(2)} of the first's`;
    const [least, middle] = [Math.min(...times), quantile(times, 0.5)].map((time) => time.toFixed(2));
    console.log(`  ${NAMES[what].padEnd(52)} ${least} ms at least, ${middle} in the middle${ratio}`);
  }
}

/** The processor time in ms of all live threads of a process. */
function processorTime(pid: number): number {
  const files = readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/schedstat`);
  const nanoseconds = files.filter(existsSync).map((file) => Number(readFileSync(file, 'utf8').split(' ')[0]));
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

async function get(environment: Environment, token: string): Promise<void> {
  const headers = [
    ['authorization', `Bearer ${token}`],
    ['user-agent', 'kubectl/v1.36.2 (linux/amd64) kubernetes/0000000'],
  ] as const;
  const exchange = environment.invoke(functionUrlEvent({ target: TARGET, headers }));
  const { head, body } = await exchange.read();
  for await (const chunk of body) if (chunk.length === 0) break;
  await exchange.done;
  if (head.statusCode !== 200) throw new Error(`the first GET was answered ${head.statusCode}`);
}

async function makeConfigMap(options: FunctionOptions, token: string): Promise<void> {
  const environment = await Environment.start(options);
  const exchange = environment.invoke(created(token));
  const { head } = await exchange.read();
  await environment.stop();
  if (head.statusCode !== 201) throw new Error(`the config map was answered ${head.statusCode}`);
}

/**
 * Folds the logs as the stream's function does in an account. A new environment then finds most data in the state and little in the log.
 */
async function fold({ env }: FunctionOptions): Promise<void> {
  const client = localClient(env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  const store = dynamoStore(connectTable(client, env['DAVIT_TABLE'] ?? ''), { clock: systemClock });
  for (const name of await store.names()) await store.sequence(name).compact();
  await store.close();
}

const CONFIG_MAP = Buffer.from(
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'measured' }, data: { a: 'x'.repeat(700) } }),
);
const created = (token: string) =>
  functionUrlEvent({
    method: 'POST',
    target: '/api/v1/namespaces/default/configmaps',
    headers: [
      ['authorization', `Bearer ${token}`],
      ['content-type', 'application/json'],
    ],
    body: CONFIG_MAP,
  });

async function warmInProcess(): Promise<number> {
  const { handle, close } = await coreInProcess();
  const never = new AbortController().signal;
  const ask = (method: string, path: string, body: Uint8Array) =>
    handle({
      method,
      path,
      query: new URLSearchParams(),
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: async () => body,
      signal: () => never,
    });
  const nothing = new Uint8Array();
  const namespace = Buffer.from('{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"}}');
  await ask('POST', '/api/v1/namespaces', namespace);
  await ask('POST', '/api/v1/namespaces/default/configmaps', CONFIG_MAP);
  for (let i = 0; i < WARM; i++) await ask('GET', TARGET, nothing);
  const before = process.cpuUsage();
  for (let i = 0; i < WARM; i++) await ask('GET', TARGET, nothing);
  const { user, system } = process.cpuUsage(before);
  await close();
  return (user + system) / 1000 / WARM;
}
