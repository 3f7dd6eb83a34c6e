import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { nodeUser } from '#lib/server/authorization/node/identity.ts';
import { StartFault } from './start-fault.ts';
import type { StartOptions } from './start-options.ts';

/** The simulated nodes of this process. */
export interface Simulation {
  /** The nodes' bearer tokens and users, for the server's authenticator. */
  readonly users: readonly (readonly [token: string, user: User])[];
  /** The reconcilers that run the nodes. */
  reconcilers(server: Pick<Apiserver, 'handle' | 'loopbackToken'>): readonly Reconciler[];
}

type SimulationOptions = Pick<StartOptions, 'simulatedNodes' | 'controllers' | 'nodeRanges' | 'log'>;

/**
 * The simulated nodes that the options request. Each acts as its kubelet would, as `system:node:<name>`. The Node authorizer and
 * NodeRestriction limit it to its own Node, Lease and pods. Returns undefined and loads nothing if the options request none. Throws
 * StartFault.
 */
export async function simulationOf(
  { simulatedNodes = 0, controllers, nodeRanges, log }: SimulationOptions,
  clock: Clock,
): Promise<Simulation | undefined> {
  if (simulatedNodes === 0) return undefined;
  const { MAX_NODES, nodeNames } = await import('#lib/simulation/node.ts');
  const { simulate } = await import('#lib/simulation/simulate.ts');
  if (!Number.isInteger(simulatedNodes) || simulatedNodes < 0 || simulatedNodes > MAX_NODES)
    throw new StartFault(`simulated nodes: ${simulatedNodes} is not a number from 0 to ${MAX_NODES}`);
  if (controllers === false) throw new StartFault('simulated nodes: they need controllers');
  const names = nodeNames(simulatedNodes);
  const tokens = new Map(names.map((name) => [name, newUid()]));
  log?.info('nodes are simulated: no container runs', { nodes: names });
  return {
    users: names.map((name) => [tokens.get(name) ?? '', nodeUser(name)]),
    reconcilers({ handle, loopbackToken }) {
      const clientOf = (name: string) => apiClient({ handle, token: tokens.get(name) ?? '', userAgent: 'kubelet' });
      const provisioner = apiClient({ handle, token: loopbackToken, userAgent: 'davit-simulation' });
      return simulate({ names, clock, clientOf, provisioner, hasOwnRanges: nodeRanges === undefined });
    },
  };
}
