import { containerSpec } from './container-spec.ts';
import { type NodeAnswer, type NodeRequest, NodeServerError } from './node-request.ts';
import type { ServerPorts } from './ports.ts';
import type { PathParts } from './routes.ts';

/** `/checkpoint/…`: returns an error, because the runtimes of these nodes do not support checkpoints. */
export async function checkpoint(ports: ServerPorts, _: NodeRequest, parts: PathParts): Promise<NodeAnswer> {
  const { podNamespace = '', podID = '', containerName = '' } = parts;
  const pod = ports.pods.podByName(podNamespace, podID);
  if (pod === undefined) throw new NodeServerError(404, 'pod does not exist');
  if (containerSpec(pod, containerName) === undefined)
    throw new NodeServerError(404, `container ${containerName} does not exist`);
  const why = 'checkpoints are not supported on this node';
  throw new NodeServerError(500, `checkpointing of ${podNamespace}/${podID}/${containerName} failed (${why})`);
}
