import { join } from 'node:path';
import type { PodResourcesServers } from '#lib/node/kubelet/apis/podresources/server.ts';
import { PodResourcesListerDefinition } from '#lib/node/kubelet-api/generated/podresources-v1.ts';
import { PodResourcesListerDefinition as AlphaDefinition } from '#lib/node/kubelet-api/generated/podresources-v1alpha1.ts';
import { type SocketServer, serveSocket, service } from '../server.ts';

/** Serves the pod resources API on `kubelet.sock` in the folder, which is created if missing. */
export const servePodResources = (directory: string, { v1, v1alpha1 }: PodResourcesServers): Promise<SocketServer> =>
  serveSocket(join(directory, 'kubelet.sock'), [
    service(PodResourcesListerDefinition, v1),
    service(AlphaDefinition, v1alpha1),
  ]);
