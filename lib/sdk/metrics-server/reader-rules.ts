/** The permissions of the metrics API to read nodes and pods and to reach nodes: upstream's, with nodes/proxy instead of their port. */
export const READER_RULES = [
  { apiGroups: [''], resources: ['nodes/proxy'], verbs: ['get'] },
  { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['get', 'list'] },
];
