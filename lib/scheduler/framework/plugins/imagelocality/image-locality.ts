import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';
import { MAX_NODE_SCORE, type Plugin, type PluginFactory } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';

const MB = 1024 * 1024;
/** Less is not worth a better place; of more, this much counts for each container. */
const LEAST = 23 * MB;
const MOST_OF_A_CONTAINER = 1000 * MB;

/** Prefers nodes that have the pod's images, the more so the larger they are and the more nodes have them. */
export const imageLocality: PluginFactory<void> = (_args, handle): Plugin => ({
  name: 'ImageLocality',
  score(_state, { pod }, node) {
    if (node.imageStates.size === 0) return 0;
    const spec = objectAt(pod, 'spec');
    const containers = [...items(spec, 'initContainers'), ...items(spec, 'containers')];
    const nodes = handle.snapshot().nodes.length;
    const present = [...containers.map((one) => text(one, 'image')), ...imagesOfVolumes(spec)];
    const sum = present.reduce((total, image) => total + worthOf(image, node, nodes), 0);
    return scoreOf(sum, containers.length);
  },
});

const imagesOfVolumes = (spec: JsonObject | undefined): string[] =>
  items(spec, 'volumes').flatMap((volume) =>
    has(volume, 'image') ? [text(objectAt(volume, 'image'), 'reference')] : [],
  );

/** An image that few nodes have counts little: not all its pods are to go there. */
function worthOf(image: string, node: NodeInfo, nodes: number): number {
  const state = node.imageStates.get(normalizedImageName(image));
  return state === undefined ? 0 : Math.trunc(state.size * (state.numNodes / nodes));
}

function scoreOf(sum: number, containers: number): number {
  const most = MOST_OF_A_CONTAINER * containers;
  const bounded = sum < LEAST ? LEAST : Math.min(sum, most);
  return Math.trunc((MAX_NODE_SCORE * (bounded - LEAST)) / (most - LEAST));
}

/** With its tag, as nodes name images. */
const normalizedImageName = (name: string): string =>
  name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
