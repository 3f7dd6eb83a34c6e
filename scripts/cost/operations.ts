import counted from './counted.json' with { type: 'json' };
import type { Tally } from './tally.ts';

/** The counted operations. `at once` covers the part until the system has been idle for seconds, which a test can wait for. */
export const OPERATIONS = [
  'chart installed',
  'chart installed, at once',
  'chart upgraded',
  'deployment scaled by 3 pods',
  'pod placed',
  'pod run',
  'lease renewed',
  "node's hour without leases",
  'look of a node',
  'token of a pod',
  'node scraped',
  "node's day on its channel",
  'watch of 5 minutes',
  'watch of 5 minutes beside one of its kind',
  'watch of 5 minutes beside one of another kind',
] as const;
/** The name of an operation. */
export type OperationName = (typeof OPERATIONS)[number];

/** The cost of an operation with all its consequences, for warm functions and for cold starts. */
export interface CountedOperation {
  readonly warm: Tally;
  readonly cold: Tally;
}

/**
 * The numbers that `test/support/cost` counts for a deployment in one process. The functions use a table in memory that bills as documented
 * by DynamoDB. `node test/support/cost/write.ts` writes the file. `operations.test.ts` checks it within a tenth.
 */
export const COUNTED: Readonly<Record<OperationName, CountedOperation>> = counted;
