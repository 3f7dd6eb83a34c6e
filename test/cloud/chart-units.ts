import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { placeAt } from '#local/run/kubeconfig-place.ts';
import { install } from '#test/support/cost/chart.ts';
import { CountedNode } from '#test/support/cost/node.ts';
import { eventually } from '#test/support/eventually.ts';
import { COUNTED } from '../../scripts/cost/operations.ts';
import { FUNCTIONS } from '../../scripts/cost/tally.ts';
import type { Meter, Metered } from './meter.ts';

/** The system is idle after this time in ms without a call to the table. It is twice the delay of the scheduler's queue and the poller. */
const SILENCE = 6_000;
/** The node for the pods. A test that needs a cluster without nodes deletes it. */
export const NODE = 'metered';
/** The charts, each with a Deployment of the same name. */
export const CHARTS = ['first', 'second'] as const;

/**
 * Registers a node, and installs both charts as Helm does. Waits until their pods run and the system is idle. Resolves with the units of
 * the second chart, which finds the functions warm, like the second one in `test/support/cost`.
 */
export async function meterChart({ kubeconfig }: { readonly kubeconfig: string }, meter: Meter): Promise<Metered> {
  using connection = new ApiConnection((await placeAt(kubeconfig)).remote);
  const client = apiClient({ handle: connection.handle.bind(connection), userAgent: 'kubectl' });
  const node = new CountedNode(client, NODE, Date.now);
  const quiet = () =>
    eventually(
      () => meter.silence() > SILENCE,
      () => 'a table that nobody calls',
    );
  await node.register();
  for (const app of CHARTS) {
    await quiet();
    await node.renew();
    meter.take();
    await install(client, app);
    await eventually(
      async () => {
        await quiet();
        await node.renew(); // otherwise a slow machine would lose the node
        return node.sync();
      },
      () => `pods of ${app}`,
    );
    await quiet();
    await node.sync();
  }
  return meter.take();
}

/** The units that `npm run cost` reports for the immediate part of a chart. */
export function toldUnits(): Pick<Metered, 'readUnits' | 'writeUnits'> {
  const { warm } = COUNTED['chart installed, at once'];
  const all = (units: 'read units' | 'write units'): number =>
    FUNCTIONS.reduce((sum, name) => sum + (warm[`${name}: ${units}`] ?? 0), 0);
  return { readUnits: all('read units'), writeUnits: all('write units') };
}
