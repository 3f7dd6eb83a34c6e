import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import type { InvocationPage, InvocationQuery } from '#lib/sdk/invocation/invocation-log.ts';
import { StartFault } from '../start-fault.ts';
import { type Kubectl, KubectlFault } from './kubectl.ts';

/** The path that serves records of invocations. */
export const INVOCATIONS = '/debug/davit/invocations';

/** The filters of a request for invocations. */
export type InvocationFilter = Partial<InvocationQuery>;

/** The server's records. Throws StartFault. If the server keeps no records in memory, the message has the query for its log. */
export async function askInvocations(ask: Kubectl, query: InvocationFilter): Promise<InvocationPage> {
  const given = Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]);
  try {
    const page = await ask.get(`${INVOCATIONS}?${new URLSearchParams(given)}`);
    return page as { readonly cursor: number; readonly items: readonly Invocation[] };
  } catch (error) {
    if (!(error instanceof KubectlFault && error.isNotFound)) throw error;
    throw new StartFault(
      `this control plane keeps its invocations in CloudWatch Logs. Name its log groups by --log-group, or ask Logs Insights:\n\n${insights(query)}`,
    );
  }
}

const FIELDS =
  '@timestamp, function, object.kind, object.namespace, object.name, outcome, durationMs, attempt, message, requestId, @logStream';

/** Returns the query of CloudWatch Logs Insights for the same filter. */
export function insights(
  { function: name, failed, kind, namespace, name: object }: InvocationFilter,
  fields = FIELDS,
): string {
  const equal = (field: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`| filter ${field} = ${JSON.stringify(value)}`];
  return [
    `fields ${fields}`,
    '| filter event = "invocation"',
    ...equal('function', name),
    ...(failed === true ? ['| filter outcome in ["Terminal", "Error"]'] : []),
    ...equal('object.kind', kind),
    ...equal('object.namespace', namespace),
    ...equal('object.name', object),
    '| sort @timestamp desc',
    '| limit 100',
  ]
    .map((line) => `    ${line}\n`)
    .join('');
}
