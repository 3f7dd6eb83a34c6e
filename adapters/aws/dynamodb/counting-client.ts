import type { Call, Item, Table } from './port.ts';

/**
 * The costs of calls: requests, billed units and the bytes of returned items. The service reports the units. A missing item counts as the
 * minimum read unit, and a rejected write as one unit.
 */
export interface Counts {
  reads: number;
  writes: number;
  readUnits: number;
  writeUnits: number;
  bytesRead: number;
  /** Calls by operation. */
  readonly calls: Record<Call['operation'], number>;
}

const noCalls = () => ({ get: 0, query: 0, put: 0, update: 0, delete: 0 });
const nothing = (): Counts => ({ reads: 0, writes: 0, readUnits: 0, writeUnits: 0, bytesRead: 0, calls: noCalls() });

/** Wraps `table` and counts its calls, including retries and failures. The counts are the input of a cost model. */
export function countingClient(table: Table): { table: Table; counts: Counts; reset(): void } {
  const counts = nothing();
  const TOTAL = { ReturnConsumedCapacity: 'TOTAL' } as const;
  const read = async <T extends Answer>(
    operation: 'get' | 'query',
    isConsistent: boolean | undefined,
    send: () => Promise<T>,
  ): Promise<T> => {
    counts.calls[operation] += 1;
    counts.reads += 1;
    const answer = await send();
    counts.readUnits += Math.max(answer.ConsumedCapacity?.CapacityUnits ?? 0, isConsistent ? 1 : 0.5);
    for (const item of answer.Items ?? (answer.Item === undefined ? [] : [answer.Item])) {
      counts.bytesRead += itemBytes(item);
    }
    return answer;
  };
  const write = async <T extends Answer>(operation: 'put' | 'update' | 'delete', send: () => Promise<T>) => {
    counts.calls[operation] += 1;
    counts.writes += 1;
    const answer = await send().catch((error: unknown) => {
      counts.writeUnits += 1;
      throw error;
    });
    counts.writeUnits += answer.ConsumedCapacity?.CapacityUnits ?? 0;
    return answer;
  };
  const counted: Table = {
    get: (input) => read('get', input.ConsistentRead, () => table.get({ ...input, ...TOTAL })),
    query: (input) => read('query', input.ConsistentRead, () => table.query({ ...input, ...TOTAL })),
    put: (input, options) => write('put', () => table.put({ ...input, ...TOTAL }, options)),
    update: (input) => write('update', () => table.update({ ...input, ...TOTAL })),
    delete: (input) => write('delete', () => table.delete({ ...input, ...TOTAL })),
    close: () => table.close(),
  };
  return { table: counted, counts, reset: () => void Object.assign(counts, nothing()) };
}

interface Answer {
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number | undefined } | undefined;
  readonly Item?: Item | undefined;
  readonly Items?: Item[] | undefined;
}

/** Counts as the service does: names, and the raw size of strings, bytes and numbers. */
export function itemBytes(item: Item): number {
  let bytes = 0;
  for (const [name, { S = '', N = '', B }] of Object.entries(item)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(S) + N.length + (B?.length ?? 0);
  }
  return bytes;
}
