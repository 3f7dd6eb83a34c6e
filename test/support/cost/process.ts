import { countingClient } from '#adapters/aws/dynamodb/counting-client.ts';
import { intercept, type Table } from '#adapters/aws/dynamodb/port.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { TABLE } from '#adapters/aws/dynamodb/table.ts';
import { tableWatchSlots } from '#adapters/aws/dynamodb/watch-slots.ts';
import { serviceAccountKeys } from '#functions/apiserver/identity.ts';
import { type Apiserver, buildApiserver } from '#functions/apiserver/wiring.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import type { KeyManagement } from '#lib/storage/encryption/kms.ts';
import { secretsUnder } from '#lib/storage/encryption/secrets.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { TableCounts } from './counter.ts';

/** The parts that the processes of a platform share. */
export interface Shared {
  readonly table: Table;
  readonly clock: Clock;
  /** Called for each log with a new entry, like the table's stream. */
  onCommit(sequence: string): unknown;
  readonly kms: KeyManagement;
}

/** The watch slots of `function-url` with the default concurrency. */
const WATCH_SLOTS = 60;

/** The storage of a newly started function. Its calls are counted. */
export function openStorage({ table, clock, onCommit, kms }: Shared) {
  const { table: counted, counts, reset } = countingClient(table);
  const told = intercept(counted, async (call, next) => {
    const answer = await next();
    const partition = call.operation === 'put' ? (call.input.Item?.[TABLE.partitionKey]?.S ?? '') : '';
    if (partition.startsWith(TABLE.logPrefix)) onCommit(partition.slice(TABLE.logPrefix.length));
    return answer;
  });
  const index = dynamoStore(told, { clock });
  const store = new EncryptedStore(index, secretsUnder(kms, clock));
  const taken = (): TableCounts => {
    const { reads, writes, readUnits, writeUnits } = counts;
    reset();
    return { reads, writes, readUnits, writeUnits };
  };
  return { table: told, kms, store, index, taken };
}

/** The storage of a function. */
export type Storage = ReturnType<typeof openStorage>;

/** The API server in a newly started function. */
export function openServer(
  storage: Storage,
  clock: Clock,
  users: Iterable<readonly [string, User]>,
  backends?: Backends,
): Apiserver {
  const { table, store, kms } = storage;
  return buildApiserver({
    store,
    clock,
    exclusive: false,
    cacheBytes: 2 ** 27,
    serverAddress: 'example.com:443',
    tokens: new Map(users),
    ...defined({ backends }),
    watches: {
      maxSeconds: 300,
      slots: tableWatchSlots(table, { cluster: DEFAULT_CLUSTER, clock, count: WATCH_SLOTS }),
    },
    serviceAccounts: serviceAccountKeys(table, { clock, name: 'service-accounts', kms }),
    reportFault: (auditId, error) => {
      throw new Error(`a fault: ${auditId}`, { cause: error });
    },
  });
}
