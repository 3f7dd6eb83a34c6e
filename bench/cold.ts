import { connectTable } from '#adapters/aws/dynamodb/connect.ts';
import { createTable } from '#adapters/aws/dynamodb/create-table.ts';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { systemClock } from '#adapters/clock.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { storeDefinitions } from '../test/store/established-definitions.ts';
import { localClient } from '../test/support/dynamodb-local/fixture.ts';
import { anInstance, checkpointAll, grantAll } from '../test/support/dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '../test/support/dynamodb-local/start.ts';
import { quantile } from './samples.ts';
import { syntheticDefinitions } from './some-definitions.ts';

const RUNS = 7;
const MAP = '/api/v1/namespaces/ns/configmaps/one';

/** Measures and prints the first request of an instance, without definitions and with many. */
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
  await storeDefinitions(table, definitions);
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
