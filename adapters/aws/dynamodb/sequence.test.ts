import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { tallOutline } from '#lib/storage/proposal.conformance.ts';
import { sequenceConformance } from '#lib/storage/sequence.conformance.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { FreezableClock, localClient, localTable } from '#test/support/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local/start.ts';
import { connectTable } from './connect.ts';
import { dynamoStore } from './store.ts';

let tables = 0;

describeOn(await startDynamoDbLocal(), 'a sequence on DynamoDB', (endpoint) =>
  sequenceConformance('DynamoDB', async () => {
    const clock = new ManualClock();
    const retention = 3_600_000;
    const options = { clock: new FreezableClock(clock), retention, outline: tallOutline };
    const name = `conformance-${++tables}`;
    (await localTable(endpoint, name)).close();
    return {
      open: () => dynamoStore(connectTable(localClient(endpoint), name), options),
      outlines: true,
      now: () => clock.now(),
      advance: (milliseconds) => clock.advance(milliseconds),
      jump: (milliseconds) => clock.jump(milliseconds),
      retention,
      dispose: () => undefined,
    };
  }),
);
