/** The conditions that only the kubelet writes (upstream: PodConditionsByKubelet, with the enabled gates). */
const BY_KUBELET: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodResizeInProgress',
  'PodResizePending',
  'PodReadyToStartContainers',
  'AllContainersRestarting',
]);

/** Whether the kubelet owns conditions of this type. */
export const isConditionByKubelet = (type: string): boolean => BY_KUBELET.has(type);

/** Whether the kubelet and others write conditions of this type. */
export const isConditionSharedByKubelet = (type: string): boolean => type === 'DisruptionTarget';
