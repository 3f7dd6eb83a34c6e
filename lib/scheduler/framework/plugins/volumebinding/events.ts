import { uses, volumesOf } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import { specOf } from '#lib/component-helpers/storage/volume/match.ts';
import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { flag, text } from '#lib/machinery/unstructured.ts';
import type { ClusterEventWithHint } from '../../events.ts';
import { volumeLimit } from './capacity.ts';
import { MIGRATED_PLUGINS } from './migrated.ts';

const hasCapacity = (driver: JsonObject): boolean => flag(specOf(driver), 'storageCapacity') === true;

const migrated = (node: JsonObject): string | undefined => annotationsOf(node)[MIGRATED_PLUGINS];

/** What may help a pod whose volumes were in the way. */
export const EVENTS: readonly ClusterEventWithHint[] = [
  {
    event: { resource: 'StorageClass', actions: ['Add', 'Update'] },
    hint: (_, { before, after }) =>
      before === undefined || !equal(ownField(before, 'allowedTopologies'), ownField(after, 'allowedTopologies')),
  },
  {
    event: { resource: 'PersistentVolumeClaim', actions: ['Add', 'Update'] },
    hint: (pod, { after }) => after !== undefined && uses(pod, after),
  },
  { event: { resource: 'PersistentVolume', actions: ['Add', 'Update'] } },
  { event: { resource: 'Node', actions: ['Add', 'UpdateNodeLabel'] } },
  {
    event: { resource: 'CSINode', actions: ['Add', 'Update'] },
    hint: (_, { before, after }) => before === undefined || after === undefined || migrated(before) !== migrated(after),
  },
  {
    event: { resource: 'CSIDriver', actions: ['Update'] },
    hint(pod, { before, after }) {
      if (before === undefined || after === undefined || !hasCapacity(before) || hasCapacity(after)) return false;
      return volumesOf(pod).some((volume) => text(objectAt(volume, 'csi'), 'driver') === nameOf(after));
    },
  },
  {
    event: { resource: 'CSIStorageCapacity', actions: ['Add', 'Update'] },
    hint(_, { before, after }) {
      if (before === undefined || after === undefined) return true;
      const [was, is] = [volumeLimit(before), volumeLimit(after)];
      return is !== undefined && (was === undefined || is > was);
    },
  },
];
