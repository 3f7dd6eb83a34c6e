import {
  CSI_DRIVERS,
  CSI_NODES,
  CSI_STORAGE_CAPACITIES,
  STORAGE_CLASSES,
  VOLUME_ATTACHMENTS,
  VOLUME_ATTRIBUTES_CLASSES,
} from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { csiDriverStrategy } from './csi-driver.ts';
import { csiNodeStrategy } from './csi-node.ts';
import { csiStorageCapacityStrategy } from './csi-storage-capacity.ts';
import { storageClassStrategy } from './storage-class.ts';
import { volumeAttachmentStrategy } from './volume-attachment.ts';
import { volumeAttributesClassStrategy } from './volume-attributes-class.ts';

/** The strategies of the group `storage.k8s.io`. */
export const storageStrategies: KindStrategies = {
  ...strategyOf(CSI_DRIVERS, csiDriverStrategy),
  ...strategyOf(CSI_NODES, csiNodeStrategy),
  ...strategyOf(CSI_STORAGE_CAPACITIES, csiStorageCapacityStrategy),
  ...strategyOf(STORAGE_CLASSES, storageClassStrategy),
  ...strategyOf(VOLUME_ATTACHMENTS, volumeAttachmentStrategy),
  ...strategyOf(VOLUME_ATTRIBUTES_CLASSES, volumeAttributesClassStrategy),
};
