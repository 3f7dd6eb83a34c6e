import { systemClock } from '#adapters/clock.ts';
import { connectTable } from '#adapters/dynamodb/connect.ts';
import { createTable } from '#adapters/dynamodb/create-table.ts';
import type { Table } from '#adapters/dynamodb/port.ts';
import { dynamoStore } from '#adapters/dynamodb/store.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { MAX_CHANGES } from '#lib/storage/limits.ts';
import type { Proposal } from '#lib/storage/sequence.ts';
import { localClient } from '../dynamodb-local/fixture.ts';
import { anInstance, checkpointAll, grantAll } from '../dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '../dynamodb-local/start.ts';
import { quantile } from './samples.ts';
import { definitionName, syntheticDefinitions } from './some-definitions.ts';

const RUNS = 7;
const MAP = '/api/v1/namespaces/ns/configmaps/one';

/** What the first request of an instance costs, with no definitions and with many. Prints it. */
export async function measureCold(): Promise<void> {
  const local = await startDynamoDbLocal();
  if ('missing' in local) return console.log(`skipped: ${local.missing}`);
  const kinds: [string, readonly JsonObject[]][] = [
    ['no definitions', []],
    ['2,000 made-up', syntheticDefinitions(2_000)],
  ];
  console.log('what | reads | units | bytes | processor time, first | middle of the rest');
  for (const [i, [what, definitions]] of kinds.entries()) {
    const client = localClient(local.endpoint);
    await createTable(client, `cold-${i}`);
    await measured(connectTable(client, `cold-${i}`), what, definitions);
  }
  await local.stop();
}

async function measured(table: Table, what: string, definitions: readonly JsonObject[]): Promise<void> {
  await grantAll(table, systemClock);
  const first = anInstance(table, { clock: systemClock });
  await first.request('POST', '/api/v1/namespaces', { metadata: { name: 'ns' } });
  await first.request('POST', '/api/v1/namespaces/ns/configmaps', { metadata: { name: 'one' }, data: { a: 'b' } });
  await store(table, definitions);
  await checkpointAll(first);
  for (const target of [MAP, '/apis', served(definitions[0])].filter((one) => one !== undefined)) {
    const times: number[] = [];
    let tells = '';
    for (let run = 0; run < RUNS; run++) {
      const instance = anInstance(table, { clock: systemClock });
      const before = process.cpuUsage();
      await instance.request('GET', target);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000);
      const { reads, readUnits, bytesRead } = instance.counts;
      tells = `${reads} | ${readUnits} | ${bytesRead}`;
      await instance.server.close();
    }
    const [cold = 0, ...warm] = times;
    console.log(`${what}: ${target} | ${tells} | ${cold.toFixed(0)} ms | ${quantile(warm, 0.5).toFixed(0)} ms`);
  }
}

function served(definition: JsonObject | undefined): string | undefined {
  const spec = objectAt(definition, 'spec');
  return spec && `/apis/${String(spec['group'])}/v1`;
}

/** Definitions as they are once they are established. */
async function store(table: Table, definitions: readonly JsonObject[]): Promise<void> {
  const sequence = dynamoStore(table, { clock: systemClock }).sequence('main/control');
  for (let i = 0; i < definitions.length; i += MAX_CHANGES) {
    const proposals = definitions.slice(i, i + MAX_CHANGES).map(proposalOf);
    await sequence.append(await sequence.head(), proposals, { nonce: `cold-${i}` });
  }
}

function proposalOf(definition: JsonObject): Proposal {
  const name = definitionName(definition);
  const conditions = ['NamesAccepted', 'Established'].map((type) => ({
    type,
    status: 'True',
    reason: 'x',
    message: '',
  }));
  const status = { acceptedNames: objectAt(definition, 'spec')?.['names'] ?? {}, conditions, storedVersions: ['v1'] };
  const body = encodeObject({ ...definition, metadata: { ...objectAt(definition, 'metadata'), uid: name }, status });
  const key = `main/apiextensions.k8s.io/customresourcedefinitions//${name}`;
  return { key, type: 'ADDED', body, labels: {}, fields: {}, generation: 1, ownerReferences: [] };
}
