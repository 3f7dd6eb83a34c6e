/** The number of functions that an account may run concurrently in a region. */
export interface Quota {
  readonly all: number;
}

/** The concurrency that Lambda keeps for functions without a reservation. It rejects a reservation that leaves less. */
const UNRESERVED = 100;
/** The minimum reservation that a context may set. */
const LEAST = 10;

/** A one-line reason why Lambda would reject a reservation regardless of the account's other functions; undefined if it would accept it. */
export function quotaFault({ all }: Quota, wanted: number): string | undefined {
  const most = all - UNRESERVED;
  if (wanted <= most) return undefined;
  const smaller = most >= LEAST ? `-c reservedConcurrency=${most}, or ` : '';
  return (
    `the account may run ${all} functions at once in this region: Lambda keeps ${UNRESERVED} of them unreserved, so that ` +
    `${wanted} cannot be reserved. What helps: ${smaller}a larger quota (Service Quotas, Lambda, "Concurrent executions")`
  );
}
