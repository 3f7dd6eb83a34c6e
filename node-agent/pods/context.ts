import type { RuntimeServices } from '#adapters/node/grpc/cri/runtime-services.ts';
import type { Machine } from '#adapters/node/host/machine/machine.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { KubeletConfiguration } from '#lib/node/kubelet/apis/config/types.ts';
import type { MachineInfo } from '#lib/node/kubelet/cadvisor.ts';
import type { NodeEventRecorder } from '#lib/node/kubelet/events/recorder.ts';
import type { PolicyEnforcer } from '#lib/node/networkpolicy/policy-enforcer.ts';
import type { NodeConnection } from '../connection.ts';
import type { Log } from '../log.ts';
import type { ClusterObjects } from '../network/cluster-objects.ts';
import type { AgentOptions } from '../options.ts';
import type { Following } from './following.ts';
import type { NodeObject } from './node-object.ts';

/** The dependencies of every part of the agent's pods. */
export interface PodContext {
  readonly options: AgentOptions;
  readonly configuration: KubeletConfiguration;
  readonly rootDir: string;
  readonly connection: NodeConnection;
  readonly client: Clientset;
  readonly host: Machine;
  readonly machine: MachineInfo;
  readonly kernelVersion: string;
  readonly services: RuntimeServices;
  readonly node: NodeObject;
  readonly recorder: NodeEventRecorder;
  readonly following: Following;
  /** Enforces network policies. Undefined if the agent does not enforce them. */
  readonly enforcer: Pick<PolicyEnforcer, 'admit'> | undefined;
  /** Objects of the whole cluster. */
  readonly objects: ClusterObjects;
  readonly log: Log;
}

/** The Node as the subject of events. Like the kubelet, it uses the node's name as uid (upstream: nodeRef). */
export const nodeReference = ({ metadata: { name = '' } }: Node) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: name },
});
