import { expect, test } from 'vitest';
import { type Counts, countingClient } from '#adapters/aws/dynamodb/counting-client.ts';
import { dynamoDeadLetters } from '#adapters/aws/dynamodb/dead-letters.ts';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { buildStream } from '#functions/stream/wiring.ts';
import type { ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { builtInHop } from '#lib/controllers/first-hop.ts';
import type { ChangeEvent } from '#lib/stream/event-schema.ts';
import { MemorySink } from '#lib/stream/memory-sink.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { syntheticDefinitions } from '../../bench/some-definitions.ts';
import { localTable } from '../support/dynamodb-local/fixture.ts';
import { anInstance, checkpointAll, grantAll } from '../support/dynamodb-local/instance.ts';
import { startDynamoDbLocal } from '../support/dynamodb-local/start.ts';
import { storeDefinitions } from './established-definitions.ts';

const MAPS = '/api/v1/namespaces/ns/configmaps';
/** `npm run test:full` creates the documented maximum. */
const MANY = process.env['DAVIT_FULL'] === undefined ? 200 : 2_000;
/** The bytes in `control` for a definition that readers do not use: its names, its versions and a hash. */
const OUTLINE = 600;
/** The size limit of one query response, in bytes. */
const PAGE = 1_000_000;

describeOn(await startDynamoDbLocal(), `with ${MANY} definitions`, (endpoint) => {
  async function aTable(definitions: number): Promise<Table> {
    const table = await localTable(endpoint, `definitions-${definitions}`);
    await grantAll(table, clock);
    const first = anInstance(table, { clock });
    await first.request('POST', '/api/v1/namespaces', { metadata: { name: 'ns' } });
    await first.request('POST', MAPS, { metadata: { name: 'one' } });
    await storeDefinitions(table, syntheticDefinitions(definitions));
    await checkpointAll(first);
    return table;
  }

  async function firstRequest(table: Table): Promise<Counts> {
    const { request, counts, server } = anInstance(table, { clock });
    await request('GET', `${MAPS}/one`);
    await server.close();
    return counts;
  }

  async function firstRing(table: Table): Promise<Counts> {
    const { table: counted, counts } = countingClient(table);
    const { handle } = buildStream({
      store: dynamoStore(counted, { clock }),
      bus: new MemorySink<ChangeEvent>({ clock, group: ({ name }) => name }),
      queue: new MemorySink<ReconcileMessage>({ clock, group: ({ name }) => name }),
      deadLetters: dynamoDeadLetters(counted, clock),
      reconcilers: [builtInHop],
      publish: [],
      clusterId: 'test',
      clock,
    });
    await handle({ ring: ['main//configmaps'] }, { hasTime: () => true });
    return counts;
  }

  test('an API server starts with an outline of each, and the stream with none', async () => {
    const [few, many] = [await aTable(0), await aTable(MANY)];
    const [before, after] = [await firstRequest(few), await firstRequest(many)];
    const more = after.bytesRead - before.bytesRead;
    expect(more / MANY).toBeLessThan(OUTLINE);
    expect(after.reads - before.reads).toBeLessThanOrEqual(Math.ceil(more / PAGE));
    const [{ reads, bytesRead }, ring] = [await firstRing(few), await firstRing(many)];
    expect(ring.reads).toBe(reads);
    expect(ring.bytesRead - bytesRead).toBeLessThan(MANY);
    few.close();
    many.close();
  }, 900_000);
});
