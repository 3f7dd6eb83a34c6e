import type { Client } from '#lib/client/client.ts';
import type { Clock } from '#lib/machinery/clock.ts';

/** The options of the reconcilers of simulated nodes. */
export interface SimulationOptions {
  /** In their order: its place gives a node its addresses. */
  readonly names: readonly string[];
  readonly clock: Clock;
  /** Whether nodes say themselves which addresses their pods get; else the controller node-ipam does. */
  readonly hasOwnRanges: boolean;
  /** Acts as the node. */
  clientOf(name: string): Client;
  /** Makes volumes, and the class of them. */
  readonly provisioner: Client;
}
