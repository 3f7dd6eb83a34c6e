import { configMapPlugin } from './configmap/config-map.ts';
import { csiPlugin } from './csi/csi.ts';
import type { CSIHost } from './csi/host.ts';
import { downwardAPIPlugin } from './downwardapi/downward-api.ts';
import { emptyDirPlugin } from './emptydir/empty-dir.ts';
import type { VolumeHost } from './host.ts';
import { hostPathPlugin } from './hostpath/host-path.ts';
import { imagePlugin } from './image/image.ts';
import { localPlugin } from './local/local.ts';
import { nfsPlugin } from './nfs/nfs.ts';
import { projectedPlugin } from './projected/projected.ts';
import { secretPlugin } from './secret/secret.ts';
import type { VolumePlugin } from './volume.ts';

/** The volume types that a node supports. Without drivers, CSI is not supported. */
export const volumePlugins = (host: VolumeHost, csi?: Omit<CSIHost, 'host'>): readonly VolumePlugin[] => [
  emptyDirPlugin(host),
  hostPathPlugin(host),
  localPlugin(host),
  secretPlugin(host),
  configMapPlugin(host),
  downwardAPIPlugin(host),
  projectedPlugin(host),
  imagePlugin(),
  nfsPlugin(host),
  ...(csi === undefined ? [] : [csiPlugin({ ...csi, host })]),
];
