import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { type DeadLetter, type DeadLetters, deadLetterId } from '#lib/stream/dead-letters.ts';
import { storeError } from './faults.ts';
import { checkFormat, FORMAT, number, numberAt, text, textAt } from './layout.ts';
import type { Item, Table } from './port.ts';
import { retryingClient } from './retry.ts';

/**
 * The partition of all dead letters. Sort key: `<consumer>/<sequence>/<version>/<digest>`. One partition suffices, because there are few
 * and a replay reads all of them.
 */
const PARTITION = 'dead';

/** Stores dead letters next to the logs until they are replayed. The caller owns the table and closes it. */
export function dynamoDeadLetters(table: Table, clock: Clock): DeadLetters {
  const safe = retryingClient(table, clock);
  return {
    put: (deadLetter) => run(async () => void (await safe.put({ Item: itemOf(deadLetter) }))),
    remove: (deadLetter) => run(async () => void (await safe.delete({ Key: keyOf(deadLetter) }))),
    all: () => all(safe),
  };
}

async function* all(table: Table): AsyncGenerator<DeadLetter> {
  let from: Item | undefined;
  do {
    const page = await run(() =>
      table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': text(PARTITION) },
        ConsistentRead: true,
        ...defined({ ExclusiveStartKey: from }),
      }),
    );
    for (const item of page.Items ?? []) yield deadLetterOf(item);
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

const keyOf = (deadLetter: DeadLetter): Item => ({ pk: text(PARTITION), sk: text(deadLetterId(deadLetter)) });

const itemOf = (deadLetter: DeadLetter): Item => ({
  ...keyOf(deadLetter),
  f: number(FORMAT),
  l: text(deadLetter.consumer),
  s: text(deadLetter.sequence),
  v: number(deadLetter.version),
  o: text(deadLetter.key),
  r: text(deadLetter.reason),
  t: number(deadLetter.at),
  ...(deadLetter.entry === undefined ? {} : { e: text(deadLetter.entry) }),
});

function deadLetterOf(item: Item): DeadLetter {
  checkFormat(item);
  return {
    consumer: textAt(item, 'l'),
    sequence: textAt(item, 's'),
    version: numberAt(item, 'v'),
    key: textAt(item, 'o'),
    reason: textAt(item, 'r'),
    at: numberAt(item, 't'),
    ...(item['e'] === undefined ? {} : { entry: textAt(item, 'e') }),
  };
}

async function run<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeError(error);
  }
}
