import type { Collector } from '#lib/machinery/metrics/family.ts';
import type { NodeEventRecorder } from '#lib/node/kubelet/events/recorder.ts';
import type { StatusTrigger } from '#lib/node/kubelet/nodestatus/status-trigger.ts';
import type { PolicyEnforcer } from '#lib/node/networkpolicy/policy-enforcer.ts';
import type { NodeConnection } from '../connection.ts';
import type { Log } from '../log.ts';
import type { AgentOptions } from '../options.ts';
import type { NodeObject } from '../pods/node-object.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import type { NetworkFacts } from './network-facts.ts';

/** The dependencies of every part of a node's network. */
export interface NetworkContext {
  readonly options: AgentOptions;
  readonly connection: NodeConnection;
  readonly log: Log;
  readonly node: NodeObject;
  readonly recorder: NodeEventRecorder;
  /** Metrics of the network. Each part adds its own. */
  readonly networkMetrics: Collector[];
  /** Triggers a status report of the node after a short delay. */
  readonly trigger: StatusTrigger;
  readonly networkFacts: NetworkFacts;
  readonly objects: ClusterObjects;
  /** Enforces network policies. Undefined if the agent does not enforce them. */
  readonly enforcer: PolicyEnforcer | undefined;
}
