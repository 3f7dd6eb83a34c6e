import { systemClock as clock } from '#adapters/clock.ts';
import { nftTables, otherProxies } from '#adapters/node/nftables/other-proxies.ts';
import { tableOf } from '#lib/node/proxy/nftables/proxier-sync.ts';
import type { ServiceProxy } from '#lib/node/proxy/service-proxy.ts';
import type { IPFamily } from '#lib/node/proxy/types.ts';
import { nodeReference } from '../pods/context.ts';
import type { NetworkContext } from './context.ts';
import type { ProxyNode } from './proxy-node.ts';

/** Interval in ms between checks of the host's tables. */
const LOOK = 60_000;

/**
 * Checks every minute whether the rules still exist, whether another proxy has installed rules, and whether the host's addresses have
 * changed.
 */
export async function lookAtTables(
  context: NetworkContext,
  proxy: ServiceProxy,
  node: ProxyNode,
  signal: AbortSignal,
): Promise<void> {
  let known = '';
  while (!signal.aborted) {
    try {
      const written = proxy.syncedFamilies();
      const tables = await nftTables();
      for (const family of written) restoreRemoved(context, proxy, tables, family);
      known = tell(context, (await otherProxies(tables)).join(' and '), known);
    } catch (error) {
      context.log.fault('cannot look at the tables of nftables')(error);
    }
    if (node.look()) proxy.placed();
    await clock.sleep(LOOK, signal);
  }
}

function restoreRemoved(
  { log }: NetworkContext,
  proxy: ServiceProxy,
  tables: readonly string[],
  ipFamily: IPFamily,
): void {
  const { family, name } = tableOf(ipFamily);
  if (tables.includes(`${family} ${name}`)) return;
  log.info(`something removed the table ${family} ${name}`);
  proxy.removed(ipFamily);
}

/** Reports another proxy once. Returns the locations of its rules, which are then known. */
function tell({ log, recorder, node }: NetworkContext, places: string, known: string): string {
  if (places === known) return known;
  if (places === '') log.info('no other proxy has rules for Services any more');
  else {
    const message = `Another proxy has rules for Services too: ${places}. Run kube-proxy --cleanup, or the agent without --proxy-mode.`;
    log.info(message);
    recorder.event(nodeReference(node.latest), 'Warning', 'OtherServiceProxy', message);
  }
  return places;
}
