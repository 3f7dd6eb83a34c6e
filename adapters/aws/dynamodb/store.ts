import type { Clock } from '#lib/machinery/clock.ts';
import type { DependentsIndex } from '#lib/storage/dependents.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { sequenceNames } from './birth.ts';
import { type Connection, connectTable, dynamoClient } from './connect.ts';
import { storeError } from './faults.ts';
import { dependentsIn } from './index-entries.ts';
import { DEFAULTS, type Options } from './options.ts';
import type { Table } from './port.ts';
import { retryingClient } from './retry.ts';
import { DynamoSequence } from './sequence.ts';

/** A store on DynamoDB: sequences and the index of dependents. */
export interface DynamoStore extends SequenceStore, DependentsIndex {
  sequence(name: string): DynamoSequence;
}

/** The sequences of one table. The store owns `table` and closes it. */
export function dynamoStore(table: Table, options: { clock: Clock } & Partial<Options>): DynamoStore {
  const sequences = new Map<string, DynamoSequence>();
  const settings: Options = { ...DEFAULTS, ...options };
  let closed = false;
  return {
    sequence: (name) => {
      if (closed) throw new StoreError('Closed', 'the store was closed');
      const known = sequences.get(name) ?? new DynamoSequence(name, table, settings);
      sequences.set(name, known);
      return known;
    },
    names: async () => {
      if (closed) throw new StoreError('Closed', 'the store was closed');
      try {
        return await sequenceNames(retryingClient(table, settings.clock));
      } catch (error) {
        throw storeError(error);
      }
    },
    dependents: dependentsIn(retryingClient(table, settings.clock)),
    close: async () => {
      closed = true;
      await Promise.all([...sequences.values()].map((sequence) => sequence.close()));
      table.close();
    },
  };
}

/** Opens an existing table (`createTable` creates one for tests). */
export function openDynamoStore(
  { table, ...connection }: Connection & { table: string },
  options: { clock: Clock } & Partial<Options>,
): DynamoStore {
  return dynamoStore(connectTable(dynamoClient(connection), table), options);
}
