import type { ServiceClient } from '#lib/machinery/rpc.ts';
import type { NodeDefinition } from './generated/csi-v1.ts';

/** The node service of a CSI driver: the kubelet is its client. */
export type CSINodeClient = ServiceClient<NodeDefinition>;
