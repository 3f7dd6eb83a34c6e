import type { PodSpec } from '#lib/api/types/core.v1.ts';
import { MAX_NODE_SCORE, type Plugin, type PluginFactory } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';

const MB = 1024 * 1024;
/** A smaller total size scores 0. The upper threshold is MOST_OF_A_CONTAINER for each container. */
const LEAST = 23 * MB;
const MOST_OF_A_CONTAINER = 1000 * MB;

/** Prefers nodes that have the pod's images; large images and images that many nodes have count more. */
export const imageLocality: PluginFactory<void> = (_args, handle): Plugin => ({
  name: 'ImageLocality',
  score(_state, { pod }, node) {
    if (node.imageStates.size === 0) return 0;
    const containers = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])];
    const nodes = handle.snapshot().nodes.length;
    const present = [...containers.map(({ image = '' }) => image), ...imagesOfVolumes(pod.spec)];
    const sum = present.reduce((total, image) => total + worthOf(image, node, nodes), 0);
    return scoreOf(sum, containers.length);
  },
});

const imagesOfVolumes = ({ volumes = [] }: PodSpec): string[] =>
  volumes.flatMap(({ image }) => (image === undefined ? [] : [image.reference ?? '']));

/** Scales an image's size by the share of nodes that have it, so that a rare image does not attract all its pods to one node. */
function worthOf(image: string, node: NodeInfo, nodes: number): number {
  const state = node.imageStates.get(normalizedImageName(image));
  return state === undefined ? 0 : Math.trunc(state.size * (state.numNodes / nodes));
}

function scoreOf(sum: number, containers: number): number {
  const most = MOST_OF_A_CONTAINER * containers;
  const bounded = sum < LEAST ? LEAST : Math.min(sum, most);
  return Math.trunc((MAX_NODE_SCORE * (bounded - LEAST)) / (most - LEAST));
}

/** The name with a tag, as nodes report images. */
const normalizedImageName = (name: string): string =>
  name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
