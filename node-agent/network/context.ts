import type { NodeConnection } from '../connection.ts';
import type { Log } from '../log.ts';
import type { AgentOptions } from '../options.ts';
import type { ClusterObjects } from './cluster-objects.ts';

/** The inputs of a node's network. */
export interface NetworkInputs {
  readonly options: AgentOptions;
  readonly connection: NodeConnection;
  readonly log: Log;
}

/** The surroundings that every part of the network is made of. */
export interface NetworkContext extends NetworkInputs {
  readonly objects: ClusterObjects;
}
