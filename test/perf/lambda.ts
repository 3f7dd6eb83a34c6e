import { readdirSync, readFileSync } from 'node:fs';
import { functionUrlEvent } from '#adapters/lambda/testing.ts';
import { coreInProcess, TOKEN } from '#test/integration/apiserver/in-process.ts';
import { Environment, type FunctionOptions } from '#test/lambda/environment.ts';
import { startWorld } from '#test/lambda/world.ts';

const COLD = 7;
const WARM = 1000;
const TARGET = '/api/v1/namespaces/default/configmaps/measured';

/** What the bundle costs in Lambda's own runtime: until its first answer, and for each after it; processor time. */
export async function measureLambda(): Promise<void> {
  const world = await startWorld({ concurrency: 2, env: {} });
  if ('missing' in world) throw new Error(world.missing);
  await using _ = world;
  const { options, token } = world;
  await makeConfigMap(options, token);
  const [inits, firsts, warms]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < COLD; i++) {
    const environment = await Environment.start(options);
    const ready = processorTime(environment.pid);
    await get(environment, token);
    inits.push(ready);
    firsts.push(processorTime(environment.pid));
    if (i === 0) warms.push(await warm(environment, token));
    await environment.stop();
  }
  const inProcess = await warmInProcess();
  print('until it waits for events, with the runtime itself', inits);
  print('until the first answer', firsts);
  print('a warm GET', warms);
  print('the same in process, in memory', [inProcess]);
}

const print = (name: string, values: readonly number[]): void => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  console.log(`${name.padEnd(52)} ${sorted[0]?.toFixed(2)} ms at least, ${middle.toFixed(2)} in the middle`);
};

/** Milliseconds that all threads of a process have run. */
function processorTime(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

async function get(environment: Environment, token: string): Promise<void> {
  const headers = [['authorization', `Bearer ${token}`]] as const;
  const exchange = environment.invoke(functionUrlEvent({ target: TARGET, headers }));
  const { head, body } = await exchange.read();
  for await (const chunk of body) if (chunk.length === 0) break;
  await exchange.done;
  if (head.statusCode !== 200) throw new Error(`the first GET was answered ${head.statusCode}`);
}

async function warm(environment: Environment, token: string): Promise<number> {
  for (let i = 0; i < WARM; i++) await get(environment, token);
  const before = processorTime(environment.pid);
  for (let i = 0; i < WARM; i++) await get(environment, token);
  return (processorTime(environment.pid) - before) / WARM;
}

async function makeConfigMap(options: FunctionOptions, token: string): Promise<void> {
  const environment = await Environment.start(options);
  const exchange = environment.invoke(created(token));
  const { head } = await exchange.read();
  await environment.stop();
  if (head.statusCode !== 201) throw new Error(`the config map was answered ${head.statusCode}`);
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
      signal: never,
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
