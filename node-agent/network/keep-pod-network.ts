import { systemClock as clock } from '#adapters/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { NetworkContext } from './context.ts';
import { PodNetwork } from './pod-network.ts';
import { PodRoutes } from './pod-routes.ts';

/** Interval in ms between checks of the host. Other programs may remove the agent's settings, and the Node may get its pod CIDR later. */
const PERIOD = 5000;
/** Time in ms after the start for the agent to read its Node and the other nodes. Earlier faults are not reported. */
const GRACE = 20_000;

/** Creates the pod network and maintains it until the signal aborts. Call it before the agent follows the cluster's objects. */
export async function keepPodNetwork(context: NetworkContext, signal: AbortSignal): Promise<void> {
  const { plugin, routes: makesRoutes } = context.options.podNetwork;
  if (plugin === undefined) return;
  let wake = new AbortController();
  const network = new PodNetwork(context);
  const routes = makesRoutes ? new PodRoutes(context, () => wake.abort()) : undefined;
  const tell = teller(context, plugin === 'kubenet' || makesRoutes);
  const began = clock.monotonic();
  while (!signal.aborted) {
    wake = new AbortController();
    try {
      await network.sync();
      await routes?.sync(network.podCIDRs());
      tell();
    } catch (error) {
      if (clock.monotonic() - began > GRACE) tell(messageOfError(error));
    }
    await clock.sleep(PERIOD, AbortSignal.any([signal, wake.signal]));
  }
}

/** Logs each change of the state. If the agent owns the network, it also sets the condition NetworkUnavailable. */
function teller({ log, trigger, networkFacts }: NetworkContext, owns: boolean): (fault?: string) => void {
  let told: string | undefined = '';
  return (fault) => {
    if (fault === told) return;
    told = fault;
    if (fault === undefined) log.info('pods of this node have a network');
    else log.fault('pods of this node have no network')(new Error(fault));
    if (!owns) return;
    networkFacts.state = fault === undefined ? {} : { fault };
    trigger.trigger();
  };
}
