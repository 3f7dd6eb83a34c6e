import type { CSIDriver, CSINode } from '#lib/api/types/storage.v1.ts';
import { uses } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { type ClusterEventWithHint, clusterEvent } from '../../events.ts';
import { volumeLimit } from './capacity.ts';
import { MIGRATED_PLUGINS } from './migrated.ts';

const hasCapacity = ({ spec }: CSIDriver): boolean => spec.storageCapacity === true;

const migrated = (node: CSINode): string | undefined => annotationsOf(node)[MIGRATED_PLUGINS];

/** The changes that may help a pod that was refused because of its volumes. */
export const EVENTS: readonly ClusterEventWithHint[] = [
  clusterEvent(
    'StorageClass',
    ['Add', 'Update'],
    (_, { before, after }) => before === undefined || !equal(before.allowedTopologies, after?.allowedTopologies),
  ),
  clusterEvent('PersistentVolumeClaim', ['Add', 'Update'], (pod, { after }) => after !== undefined && uses(pod, after)),
  clusterEvent('PersistentVolume', ['Add', 'Update']),
  clusterEvent('Node', ['Add', 'UpdateNodeLabel']),
  clusterEvent(
    'CSINode',
    ['Add', 'Update'],
    (_, { before, after }) => before === undefined || after === undefined || migrated(before) !== migrated(after),
  ),
  clusterEvent('CSIDriver', ['Update'], ({ spec: { volumes = [] } }, { before, after }) => {
    if (before === undefined || after === undefined || !hasCapacity(before) || hasCapacity(after)) return false;
    return volumes.some(({ csi }) => csi?.driver === nameOf(after));
  }),
  clusterEvent('CSIStorageCapacity', ['Add', 'Update'], (_, { before, after }) => {
    if (before === undefined || after === undefined) return true;
    const [was, is] = [volumeLimit(before), volumeLimit(after)];
    return is !== undefined && (was === undefined || is > was);
  }),
];
