import type { Client } from '#lib/client/client.ts';
import type { Clock } from '#lib/machinery/clock.ts';

/** The options of the reconcilers of simulated nodes. */
export interface SimulationOptions {
  /** The node names in order. A node's index determines its addresses. */
  readonly names: readonly string[];
  readonly clock: Clock;
  /** Whether nodes allocate their own pod CIDRs. Otherwise the node-ipam controller does. */
  readonly hasOwnRanges: boolean;
  /** Returns a client that acts as the node. */
  clientOf(name: string): Client;
  /** The client that creates volumes and their storage class. */
  readonly provisioner: Client;
}
