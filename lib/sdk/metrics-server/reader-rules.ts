/** The rules of an account by which the metrics API reads nodes and pods, and reaches nodes: upstream's, with nodes/proxy in place of their port. */
export const READER_RULES = [
  { apiGroups: [''], resources: ['nodes/proxy'], verbs: ['get'] },
  { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['get', 'list'] },
];
