import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { measureAggregation } from '#bench/aggregation.ts';
import { measureAuthorization } from '#bench/authorization.ts';
import { measureCold } from '#bench/cold.ts';
import { type Access, accessOf, Connection } from '#bench/connection.ts';
import { measureDefinitions } from '#bench/definitions.ts';
import { measureDevices } from '#bench/devices.ts';
import { measureDns } from '#bench/dns.ts';
import { measureFlow } from '#bench/flow.ts';
import { measureLambda } from '#bench/lambda.ts';
import { measureLargeRequests } from '#bench/large-requests.ts';
import { measureLists } from '#bench/lists.ts';
import { measureLooks } from '#bench/look.ts';
import { MEASURES } from '#bench/measures.ts';
import { measurePlacement } from '#bench/placement.ts';
import { measurePods } from '#bench/pods.ts';
import { measurePolicies } from '#bench/policies.ts';
import { measurePoseidon } from '#bench/poseidon.ts';
import { measureQuotas } from '#bench/quotas.ts';
import { measureReconcilers } from '#bench/reconcilers.ts';
import { measureRules } from '#bench/rules.ts';
import type { Row } from '#bench/samples.ts';
import { measureScale } from '#bench/scale.ts';
import { measureScheduler } from '#bench/scheduler.ts';
import { measureSchemas } from '#bench/schemas.ts';
import { residentMemory, ServerProcess } from '#bench/server.ts';
import { measureServices } from '#bench/services.ts';
import { measureWatchMemory } from '#bench/watch-memory.ts';
import { Widgets } from '#bench/widgets.ts';
import { measureDeployments, measureNamespace } from '#bench/workloads.ts';
import { measureWrites } from '#bench/writes.ts';

/** Prints the results of this server, and of the peer if one is given. */
async function bench(peer: string | undefined): Promise<void> {
  await using server = new ServerProcess();
  try {
    await benchBeside(server, peer);
  } finally {
    if (server.complaints !== '') console.error(server.complaints);
  }
}

async function benchBeside(server: ServerProcess, peer: string | undefined): Promise<void> {
  const cold = await server.start();
  await server.stop();
  const warm = await server.start();
  console.log(`ready ${Math.round(cold)} ms in an empty directory, ${Math.round(warm)} ms at the second start`);
  await sleep(2000);
  console.log(`memory ${Math.round(residentMemory(server.pid))} MiB idle\n`);
  const sides = [await sideOf(server.access, [server.pid])];
  if (peer !== undefined) sides.push(await sideOf(accessOf(peer), peerPids()));
  console.log(line(peer === undefined ? ['', 'davit'] : ['', 'davit', 'peer', 'davit / peer']));
  for (const measure of MEASURES) {
    const rows: Row[][] = [];
    for (const { widgets, access } of sides) rows.push(await measure(widgets, access));
    print(rows);
  }
  print(sides.map(({ pids }) => [{ name: 'memory after it all', unit: 'MiB', value: memory(pids) }]));
  for (const { widgets } of sides) {
    await widgets.end();
    widgets.api.close();
  }
}

async function sideOf(access: Access, pids: readonly number[]) {
  const widgets = new Widgets(new Connection(access), `bench-${Date.now()}`);
  await widgets.begin();
  return { access, pids, widgets };
}

/** The peer's processes on this machine. Their memory is measured too. */
function peerPids(): number[] {
  return (process.env['DAVIT_BENCH_PEER_PIDS'] ?? '').split(',').filter(Boolean).map(Number);
}

const memory = (pids: readonly number[]): number =>
  pids.length === 0 ? Number.NaN : pids.reduce((sum, pid) => sum + residentMemory(pid), 0);

function print([ours = [], theirs = []]: readonly Row[][]): void {
  for (const [i, { name, unit, value }] of ours.entries()) {
    const other = theirs[i]?.value;
    const peer = other === undefined ? [] : [`${round(other)} ${unit}`, (value / other).toFixed(2)];
    console.log(line([name, `${round(value)} ${unit}`, ...peer]));
  }
}

const round = (value: number): string => (value < 100 ? value.toFixed(2) : value.toFixed(0));

const line = ([name = '', ...cells]: readonly string[]): string =>
  name.padEnd(38) + cells.map((cell) => cell.padStart(14)).join('');

const flag = { type: 'boolean', default: false } as const;
const options = {
  scale: flag,
  crds: flag,
  cold: flag,
  lambda: flag,
  beside: { type: 'string' } as const,
  writes: flag,
  rules: flag,
  schemas: flag,
  authorization: flag,
  placement: flag,
  poseidon: flag,
  scheduler: flag,
  nodes: { type: 'string' } as const,
  look: flag,
  policies: flag,
  large: flag,
  lists: flag,
  'watch-memory': flag,
  quotas: flag,
  deployments: flag,
  namespace: flag,
  reconcilers: flag,
  devices: flag,
  pods: flag,
  services: flag,
  dns: flag,
  aggregation: flag,
  flow: flag,
  only: { type: 'string' } as const,
};
const { values } = parseArgs({ options });
if (values.scale) await measureScale();
else if (values.writes) await measureWrites();
else if (values.cold) await measureCold();
else if (values.crds) await measureDefinitions();
else if (values.lambda) await measureLambda(values.beside);
else if (values.rules) measureRules();
else if (values.deployments) await measureDeployments();
else if (values.namespace) await measureNamespace();
else if (values.reconcilers) await measureReconcilers();
else if (values.devices) await measureDevices();
else if (values.lists) await measureLists();
else if (values['watch-memory']) await measureWatchMemory();
else if (values.pods) await measurePods();
else if (values.services) await measureServices();
else if (values.dns) await measureDns();
else if (values.aggregation) await measureAggregation();
else if (values.flow) await measureFlow(values.only);
else if (values.quotas) await measureQuotas();
else if (values.authorization) await measureAuthorization();
else if (values.schemas) measureSchemas();
else if (values.placement) measurePlacement();
else if (values.poseidon) await measurePoseidon();
else if (values.scheduler) await measureScheduler(values.only, values.nodes?.split(',').map(Number));
else if (values.look) await measureLooks();
else if (values.policies) await measurePolicies();
else if (values.large) await measureLargeRequests();
else await bench(process.env['DAVIT_BENCH_PEER']);
