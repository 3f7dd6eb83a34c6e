import { type Call, intercept, type Table } from '#adapters/aws/dynamodb/port.ts';

/**
 * When a process ends or freezes: either before its n-th call (from 1) reaches the table, or after its execution and before its response.
 * The response then waits for the process, or is lost.
 */
export interface Strike {
  readonly call: number;
  readonly when: 'before' | 'done' | 'done and lost';
}

export interface Mortal {
  readonly table: Table;
  /** The calls since the start, or since the strike was armed, in order and without polls. */
  readonly calls: readonly Call[];
  /** Resolves when the strike happens. */
  readonly struck: Promise<void>;
  /** Restarts the count of calls, with another strike. */
  arm(strike: Strike | undefined): void;
}

const NEVER = new Promise<never>(() => undefined);

/**
 * The `table` of a process that is struck once. Afterwards no request reaches the table and no response reaches the process, until `thaw`
 * resolves, if ever. `arriving` may reject a call on arrival, based on the time when it was sent.
 */
export function mortal(
  table: Table,
  first: Strike | undefined,
  {
    thaw = NEVER,
    now = () => 0,
    arriving,
  }: {
    readonly thaw?: Promise<void>;
    readonly now?: () => number;
    readonly arriving?: (call: Call, sentAt: number) => void;
  } = {},
): Mortal {
  const calls: Call[] = [];
  let strike = first;
  let gate: Promise<void> = Promise.resolve();
  let fall = (): void => undefined;
  const struck = new Promise<void>((resolve) => (fall = resolve));
  const stop = (): Promise<void> => {
    gate = thaw;
    fall();
    return gate;
  };
  const around = async <T>(call: Call, next: () => Promise<T>): Promise<T> => {
    await gate;
    const when = !isPoll(call) && calls.push(call) === strike?.call ? strike.when : undefined;
    const sentAt = now();
    if (when === 'before') await stop();
    await gate;
    arriving?.(call, sentAt);
    const answer = await next().catch(async (error: unknown) => {
      if (when !== undefined && when !== 'before') await stop();
      await gate;
      throw error;
    });
    if (when !== undefined && when !== 'before') await stop();
    await gate;
    if (when === 'done and lost') throw Object.assign(new Error('the connection is gone'), { name: 'TimeoutError' });
    return answer;
  };
  const arm = (other: Strike | undefined): void => {
    strike = other;
    calls.length = 0;
  };
  return { table: intercept(table, around), calls, struck, arm };
}

/** Whether the call is one that watchers repeat. */
const isPoll = (call: Call): boolean => call.operation === 'query' && call.input.ConsistentRead !== true;

export const isWrite = ({ operation }: Call): boolean => operation !== 'get' && operation !== 'query';

/** Strikes before and after each write. Reads change nothing in the table that a crash could reveal. */
export const everyEnd = (calls: readonly Call[]): Strike[] =>
  calls.flatMap((call, i) =>
    isWrite(call) ? (['before', 'done'] as const).map((when) => ({ call: i + 1, when })) : [],
  );
