import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { conditionTrue } from '#lib/server/apiextensions/conditions.ts';
import { runProgram } from '../test/clients/e2e/program.ts';
import { Connection } from './connection.ts';
import { forEachOf, quantile, timed } from './samples.ts';
import { processorTime, residentMemory, ServerProcess } from './server.ts';
import { collectionOf, definitionName, recordedDefinitions, syntheticDefinitions } from './some-definitions.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const SYNTHETIC = 2_000;
const DELETED = 500;
/** The benchmark waits until a definition is served after each group of this many. */
const SERVED_EVERY = 20;
const PATIENCE = 120_000;

/** Measures and prints the costs of many definitions in one server. */
export async function measureDefinitions(): Promise<void> {
  await measure('synthetic', syntheticDefinitions(Number(process.env['DAVIT_BENCH_CRDS'] ?? SYNTHETIC)));
  const recorded = recordedDefinitions();
  if (recorded === undefined) console.log('recorded definitions: skipped, DAVIT_FIXTURES is not set');
  else await measure('recorded', recorded);
}

async function measure(kind: string, definitions: readonly JsonObject[]): Promise<void> {
  await using server = new ServerProcess();
  await server.start();
  await server.stop();
  const idle = await server.start();
  console.log(`${definitions.length} ${kind} definitions; the empty server: ready in ${ms(idle)}, ${memory(server)}`);
  await created(server, definitions);
  await settled(server);
  await documents(server, definitions);
  await server.stop();
  await restarted(server);
  await deleted(server, definitions.slice(0, DELETED));
  await settled(server);
  if (server.complaints !== '') console.log(server.complaints.slice(0, 2000));
}

/** Alternately restarts this server and an empty one, so that other load on the machine affects both. */
async function restarted(server: ServerProcess): Promise<void> {
  await using empty = new ServerProcess();
  await empty.start();
  const times: { readonly full: number[]; readonly empty: number[] } = { full: [], empty: [] };
  for (let i = 0; i < 3; i++) {
    await empty.stop();
    times.empty.push(await empty.start());
    if (i > 0) await server.stop();
    times.full.push(await server.start());
  }
  const [full, bare] = [quantile(times.full, 0.5), quantile(times.empty, 0.5)];
  console.log(`  restart: ready in ${ms(full)}, an empty server in ${ms(bare)}, the middle of three`);
  await settled(server);
  console.log(
    `  ${processorTime(server.pid).toFixed(1)} s of processor time, empty ${processorTime(empty.pid).toFixed(1)} s`,
  );
}

/** Creates definitions one after the other. Times are measured from the moment when the request is sent. */
async function created({ access, pid }: ServerProcess, definitions: readonly JsonObject[]): Promise<void> {
  const api = new Connection(access);
  const watched = new Connection(access);
  const sent = new Map<string, number>();
  const established = new Map<string, number>();
  await watched.watch(`${DEFINITIONS}?watch=true`, (line) => {
    const { object } = JSON.parse(line) as { readonly object: JsonObject };
    const name = conditionTrue(object, 'Established') ? definitionName(object) : undefined;
    const at = sent.get(name ?? '');
    if (name !== undefined && at !== undefined && !established.has(name)) established.set(name, performance.now() - at);
  });
  const served: number[] = [];
  const refused: string[] = [];
  const begun = performance.now();
  for (const [i, crd] of definitions.entries()) {
    const at = performance.now();
    sent.set(definitionName(crd), at);
    const { status, body } = await api.ask('POST', DEFINITIONS, crd);
    if (status !== 201) refused.push(`${definitionName(crd)}: ${body.toString().slice(0, 200)}`);
    else if (i % SERVED_EVERY === 0) {
      while ((await api.ask('GET', collectionOf(crd))).status !== 200) await sleep(1);
      served.push(performance.now() - at);
    }
  }
  const sending = performance.now() - begun;
  for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(20)) {
    if (established.size >= definitions.length - refused.length) break;
  }
  console.log(`  created in ${ms(sending)}, ${refused.length} refused ${refused.slice(0, 3).join('; ')}`);
  print('created to Established', [...established.values()], `${established.size} of ${definitions.length}`);
  print('created to served', served, `${served.length} looked at`);
  console.log(`  ${processorTime(pid).toFixed(1)} s of processor time, ${memory({ pid })}`);
  watched.close();
  api.close();
}

function print(name: string, samples: readonly number[], note: string): void {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => ms(quantile(samples, share)));
  console.log(`  ${name}: p50 ${p50}, p99 ${p99}, at most ${max} (${note})`);
}

/** Waits until the process has been idle for a second, and then measures it for a few more seconds. */
async function settled({ pid }: ServerProcess): Promise<void> {
  const begun = performance.now();
  for (let before = processorTime(pid); performance.now() - begun < PATIENCE; ) {
    await sleep(1_000);
    const now = processorTime(pid);
    if (now - before < 0.02) break;
    before = now;
  }
  const [spent, at] = [processorTime(pid), performance.now()];
  await sleep(3_000);
  const share = (processorTime(pid) - spent) / ((performance.now() - at) / 1000);
  console.log(`  settled in ${ms(at - begun)}; then ${(share * 100).toFixed(1)} % of a core; ${memory({ pid })}`);
}

/** Measures the documents that cover all definitions. */
async function documents({ access, directory, pid }: ServerProcess, definitions: readonly JsonObject[]): Promise<void> {
  const api = new Connection(access);
  const read = async (name: string, path: string, accept?: string): Promise<void> => {
    let bytes = 0;
    const spent = processorTime(pid);
    const took = await timed(
      async () => (bytes = (await api.request('GET', path, undefined, undefined, accept)).length),
    );
    const cpu = (processorTime(pid) - spent) * 1000;
    console.log(`  ${name}: ${ms(took)}, ${ms(cpu)} of processor time, ${(bytes / 1024).toFixed(0)} KiB`);
  };
  const [crd] = definitions;
  if (crd === undefined) return;
  const version = collectionOf(crd).split('/').slice(0, 4).join('/');
  const change = async (): Promise<void> => {
    const patch = { spec: { names: { categories: ['all', `changed${performance.now() | 0}`] } } };
    const path = `${DEFINITIONS}/${definitionName(crd)}`;
    await api.request('PATCH', path, patch, 'application/merge-patch+json');
    await sleep(500);
  };
  await apiResources(directory);
  await read('aggregated discovery', '/apis', AGGREGATED);
  await change();
  await read('aggregated discovery after a change', '/apis', AGGREGATED);
  await read('legacy discovery of one version', version);
  await read('OpenAPI v3 index', '/openapi/v3');
  await read('OpenAPI v3 of one version', `/openapi/v3${version}`);
  await change();
  await read('OpenAPI v3 index after a change', '/openapi/v3');
  await read('OpenAPI v2', '/openapi/v2');
  console.log(`  ${memory({ pid })}`);
  await read('OpenAPI v2 again', '/openapi/v2');
  await change();
  await read('OpenAPI v2 after a change', '/openapi/v2');
  await read('all definitions', DEFINITIONS);
  console.log(`  ${memory({ pid })}`);
  api.close();
}

/** Runs the machine's own kubectl with an empty cache. */
async function apiResources(directory: string): Promise<void> {
  const cache = mkdtempSync(join(tmpdir(), 'davit-bench-kubectl-'));
  const args = ['--kubeconfig', join(directory, 'kubeconfig'), '--cache-dir', cache, 'api-resources'];
  for (const name of ['cold', 'again']) {
    let lines = 0;
    const took = await timed(async () => (lines = (await runProgram('kubectl', args)).stdout.split('\n').length));
    console.log(`  kubectl api-resources, ${name}: ${ms(took)}, ${lines} lines`);
  }
  rmSync(cache, { recursive: true, force: true });
}

async function deleted({ access }: ServerProcess, definitions: readonly JsonObject[]): Promise<void> {
  const api = new Connection(access);
  const gone: number[] = [];
  const took = await timed(() =>
    forEachOf(definitions.length, 8, async (i) => {
      const path = `${DEFINITIONS}/${definitionName(definitions[i] as JsonObject)}`;
      const at = performance.now();
      await api.request('DELETE', path);
      while ((await api.ask('GET', path)).status !== 404 && performance.now() - at < PATIENCE) await sleep(5);
      gone.push(performance.now() - at);
    }),
  );
  print(`deleted to gone, 8 at once, in ${ms(took)}`, gone, `${gone.length} deleted`);
  const left = await api.request('GET', '/apis', undefined, undefined, AGGREGATED);
  const groups = (JSON.parse(left.toString()) as JsonObject)['items'];
  console.log(
    `  ${Array.isArray(groups) ? groups.length : 0} groups in discovery; ${await services(api)} API services`,
  );
  api.close();
}

async function services(api: Connection): Promise<number> {
  const list = JSON.parse(
    (await api.request('GET', '/apis/apiregistration.k8s.io/v1/apiservices')).toString(),
  ) as JsonObject;
  const items = list['items'];
  return Array.isArray(items) ? items.filter((item) => objectAt(item as JsonObject, 'spec') !== undefined).length : 0;
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;

const memory = ({ pid }: { readonly pid: number }): string =>
  `${residentMemory(pid).toFixed(0)} MiB resident, at most ${residentMemory(pid, 'VmHWM').toFixed(0)}`;
