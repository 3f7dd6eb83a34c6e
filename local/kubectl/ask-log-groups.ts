import type { CloudWatchLogsClient, GetQueryResultsCommandOutput } from '@aws-sdk/client-cloudwatch-logs';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import { StartFault } from '../start-fault.ts';
import { type InvocationFilter, insights } from './ask-invocations.ts';

/** The log groups to search, and the invocations to search for. */
export interface LogQuestion extends InvocationFilter {
  readonly groups: readonly string[];
  /** The start of the time range, in milliseconds before now. */
  readonly since: number;
}

/** Interval in ms between two polls of a running query, and the time in ms after which the query is abandoned. */
const PACE = 500;
const PATIENCE = 60_000;

/** Records in the log groups of an account, the oldest first. Throws StartFault if the query fails. SDK errors are not wrapped. */
export async function askLogGroups(
  client: CloudWatchLogsClient,
  { groups, since, ...asked }: LogQuestion,
  clock: Clock,
): Promise<readonly Invocation[]> {
  const { StartQueryCommand, GetQueryResultsCommand } = await import('@aws-sdk/client-cloudwatch-logs');
  const now = clock.now();
  const { queryId } = await client.send(
    new StartQueryCommand({
      logGroupNames: [...groups],
      startTime: Math.floor((now - since) / 1000),
      endTime: Math.ceil(now / 1000),
      queryString: insights(asked, '@message'),
    }),
  );
  for (const end = clock.monotonic() + PATIENCE; clock.monotonic() < end; await clock.sleep(PACE)) {
    const { status, results = [] } = await client.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete') return results.flatMap(invocationIn).reverse();
    if (status !== 'Running' && status !== 'Scheduled') throw new StartFault(`the query ended as ${status}`);
  }
  throw new StartFault(`the query did not end within ${PATIENCE / 1000} s`);
}

type Row = NonNullable<GetQueryResultsCommandOutput['results']>[number];

/** Parses a log line as a record; other lines are skipped. */
function invocationIn(row: Row): Invocation[] {
  const text = row.find(({ field }) => field === '@message')?.value ?? '';
  try {
    const line = JSON.parse(text) as Partial<Invocation> & { readonly event?: string };
    return line.event === 'invocation' ? [line as Invocation] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
