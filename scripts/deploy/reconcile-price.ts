import { type Line, total } from '../cost/prices.ts';

/** A reconciler whose objects are reconciled after a deployment. */
export interface DeployedReconciler {
  readonly name: string;
  /** The memory of its function in MiB. */
  readonly memory: number;
  /** Objects per second. */
  readonly perSecond: number;
}

/** The batch size of the queues. */
const BATCH = 10;
/**
 * Assumed processor time in seconds: per batch in the built-in function, per object in the author's function, and per object for its
 * requests.
 */
const SECONDS = { forwarded: 0.2, reconciled: 0.1, asked: 0.05 } as const;
/** The memory of the built-in function and the API server in GB. */
const GIGABYTES = { forwarding: 1, serving: 0.5 } as const;

/**
 * The costs to reconcile each object once. Each object waits in a queue, and the built-in reconcilers forward it. The author's function
 * reads the object and changes nothing.
 */
export function reconcileLines({ memory }: Pick<DeployedReconciler, 'memory'>, objects: number): readonly Line[] {
  const batches = objects / BATCH;
  return [
    { what: 'queue of waiting requests', quantity: objects + 2 * batches, price: 'queueRequest' },
    { what: 'queue of the reconciler', quantity: objects + 2 * batches, price: 'fifoRequest' },
    { what: 'invocations', quantity: 2 * batches + objects, price: 'lambdaRequest' },
    {
      what: 'time of the built-in reconcilers',
      quantity: batches * SECONDS.forwarded * GIGABYTES.forwarding,
      price: 'lambdaGigabyteSecond',
    },
    {
      what: 'time of the reconciler',
      quantity: objects * SECONDS.reconciled * (memory / 1024),
      price: 'lambdaGigabyteSecond',
    },
    {
      what: 'time of the API server',
      quantity: objects * SECONDS.asked * GIGABYTES.serving,
      price: 'lambdaGigabyteSecond',
    },
    { what: 'reads', quantity: objects, price: 'tableRead' },
  ];
}

const THOUSAND = 1000;

/** The line that a deployment prints for a reconciler whose code may have changed. */
export function reconcileText(reconciler: DeployedReconciler): string {
  const dollars = total(reconcileLines(reconciler, THOUSAND));
  const seconds = Math.ceil(THOUSAND / reconciler.perSecond);
  return (
    `${reconciler.name}: if its code has changed, this deployment reconciles all of its objects: ` +
    `1,000 objects take ${seconds} s and cost about $${dollars.toFixed(4)}, and what it writes; reconcileOnDeploy: false turns it off`
  );
}
