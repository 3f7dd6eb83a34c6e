import { ConditionalCheckFailedException, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { type Call, intercept, type QueryInput, type Table } from '#adapters/aws/dynamodb/port.ts';

/** A failure of one call. */
export type Fault =
  /** Rejected before execution. */
  | 'throttle'
  /** Executed, but the response is lost. */
  | 'lose-answer'
  /** Never reaches the table, and no response arrives. */
  | 'lose-request'
  /** A failed condition without the item in the error. */
  | 'conflict';

/** The state that an eventually consistent query returns. */
type Staleness =
  /** A replica that lacks this many of the newest items. */
  | { readonly missingLast: number }
  /** A replica that lacks the item at this index: a hole. */
  | { readonly missingAt: number };

export interface FaultPlan {
  /** The failure of this call, decided when the call is made. */
  readonly fault?: (call: Call) => Fault | undefined;
  readonly staleness?: (input: QueryInput) => Staleness | undefined;
}

/** `table` with failures that DynamoDB has and DynamoDB Local never shows. */
export function faulty(table: Table, plan: FaultPlan): Table {
  const wrapped = intercept(table, async (call, next) => {
    const fault = plan.fault?.(call);
    if (fault === 'throttle') throw named('ProvisionedThroughputExceededException');
    if (fault === 'conflict') throw new ConditionalCheckFailedException({ $metadata: {}, message: 'injected' });
    if (fault === 'lose-request') throw named('TimeoutError');
    const answer = await next();
    if (fault === 'lose-answer') throw named('TimeoutError');
    return answer;
  });
  return {
    ...wrapped,
    query: async (input) => {
      const staleness = input.ConsistentRead === true ? undefined : plan.staleness?.(input);
      const page = await wrapped.query(input);
      return staleness === undefined ? page : stale(page, staleness, input.ScanIndexForward !== false);
    },
  };
}

function stale(page: QueryCommandOutput, staleness: Staleness, forwards: boolean): QueryCommandOutput {
  const items = page.Items ?? [];
  if ('missingAt' in staleness) return { ...page, Items: items.filter((_, i) => i !== staleness.missingAt) };
  const { missingLast } = staleness;
  if (missingLast === 0) return page;
  const { LastEvaluatedKey: _, ...rest } = page;
  return { ...rest, Items: forwards ? items.slice(0, -missingLast) : items.slice(missingLast) };
}

export function named(name: string): Error {
  const error = new Error(`injected ${name}`);
  error.name = name;
  return error;
}
