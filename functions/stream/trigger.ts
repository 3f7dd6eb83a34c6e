import * as z from 'zod';
import { type Deployment, deploymentOf } from '#adapters/aws/cloudformation/deployment.ts';
import { TABLE } from '#adapters/aws/dynamodb/table.ts';

const records = z.object({
  Records: z.array(
    z.object({
      eventName: z.string(),
      dynamodb: z.object({ Keys: z.record(z.string(), z.object({ S: z.string().optional() })) }),
    }),
  ),
});
const schedule = z.object({ schedule: z.string() });
const resync = z.object({ resync: z.array(z.string().min(1)).min(1) });
/** The reason why the function was invoked. */
export type Trigger =
  /** These sequences have new entries. */
  | { readonly ring: readonly string[] }
  /** Time has passed. The function looks for sequences that lag. */
  | { readonly ringAll: true }
  /** These reconcilers, or all for `*`, should reconcile every object. */
  | { readonly resync: readonly string[] }
  /** The declared functions have changed. */
  | { readonly deployed: Deployment };

/** Decodes an event of the table's stream, a schedule, or a deployment. Throws TypeError for any other. */
export function triggerOf(event: unknown): Trigger {
  const rung = records.safeParse(event);
  if (rung.success) return { ring: sequencesOf(rung.data.Records) };
  if (schedule.safeParse(event).success) return { ringAll: true };
  const request = resync.safeParse(event);
  if (request.success) return { resync: request.data.resync };
  const deployed = deploymentOf(event);
  if (deployed !== undefined) return { deployed };
  throw new TypeError('an event of neither a stream, a schedule nor a deployment');
}

/** The sequences whose logs have a new entry. The entry itself does not matter, because the log is read. */
function sequencesOf(all: z.infer<typeof records>['Records']): string[] {
  const keys = all.flatMap(({ eventName, dynamodb: { Keys } }) =>
    eventName === 'INSERT' ? [Keys[TABLE.partitionKey]?.S ?? ''] : [],
  );
  const logs = keys.filter((key) => key.startsWith(TABLE.logPrefix));
  return [...new Set(logs.map((key) => key.slice(TABLE.logPrefix.length)))];
}
