/**
 * The permissions of the metrics API to read nodes and pods and to connect to nodes. They equal upstream's, with nodes/proxy instead of the
 * node's port.
 */
export const READER_RULES = [
  { apiGroups: [''], resources: ['nodes/proxy'], verbs: ['get'] },
  { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['get', 'list'] },
];
