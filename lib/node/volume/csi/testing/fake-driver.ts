import { RpcError, type ServiceHandlers } from '#lib/machinery/rpc.ts';
import { NodeDefinition } from '#lib/node/csi/generated/csi-v1.ts';
import type { CSINodeClient } from '#lib/node/csi/services.ts';

/** The handlers of a driver's node service. Calls without one are Unimplemented. */
export type NodeAnswers = Partial<ServiceHandlers<NodeDefinition>>;

/** The complete handlers of the node service. */
export function nodeHandlers(answers: NodeAnswers): ServiceHandlers<NodeDefinition> {
  const none = async (): Promise<never> => {
    throw new RpcError('Unimplemented', 'the driver has no such call');
  };
  return {
    nodeStageVolume: none,
    nodeUnstageVolume: none,
    nodePublishVolume: none,
    nodeUnpublishVolume: none,
    nodeGetVolumeStats: none,
    nodeExpandVolume: none,
    nodeGetCapabilities: none,
    nodeGetInfo: none,
    ...answers,
  };
}

/** A driver's node service in this process. Messages get default values, as from the wire. */
export function fakeNodeClient(answers: NodeAnswers): CSINodeClient {
  const handlers = nodeHandlers(answers);
  const signal = new AbortController().signal;
  const { methods } = NodeDefinition;
  return {
    nodeStageVolume: async (request) =>
      methods.nodeStageVolume.responseType.fromPartial(
        await handlers.nodeStageVolume(methods.nodeStageVolume.requestType.fromPartial(request), signal),
      ),
    nodeUnstageVolume: async (request) =>
      methods.nodeUnstageVolume.responseType.fromPartial(
        await handlers.nodeUnstageVolume(methods.nodeUnstageVolume.requestType.fromPartial(request), signal),
      ),
    nodePublishVolume: async (request) =>
      methods.nodePublishVolume.responseType.fromPartial(
        await handlers.nodePublishVolume(methods.nodePublishVolume.requestType.fromPartial(request), signal),
      ),
    nodeUnpublishVolume: async (request) =>
      methods.nodeUnpublishVolume.responseType.fromPartial(
        await handlers.nodeUnpublishVolume(methods.nodeUnpublishVolume.requestType.fromPartial(request), signal),
      ),
    nodeGetVolumeStats: async (request) =>
      methods.nodeGetVolumeStats.responseType.fromPartial(
        await handlers.nodeGetVolumeStats(methods.nodeGetVolumeStats.requestType.fromPartial(request), signal),
      ),
    nodeExpandVolume: async (request) =>
      methods.nodeExpandVolume.responseType.fromPartial(
        await handlers.nodeExpandVolume(methods.nodeExpandVolume.requestType.fromPartial(request), signal),
      ),
    nodeGetCapabilities: async (request) =>
      methods.nodeGetCapabilities.responseType.fromPartial(
        await handlers.nodeGetCapabilities(methods.nodeGetCapabilities.requestType.fromPartial(request), signal),
      ),
    nodeGetInfo: async (request) =>
      methods.nodeGetInfo.responseType.fromPartial(
        await handlers.nodeGetInfo(methods.nodeGetInfo.requestType.fromPartial(request), signal),
      ),
  };
}
