import type { Secret } from '#lib/api/types/core.v1.ts';
import type { VolumeHost } from '../host.ts';

/** The node's services for volumes of FlexVolume drivers. */
export interface FlexHost {
  readonly host: VolumeHost;
  readonly node: string;
  /** Throws the server's error if it does not exist. */
  secret(namespace: string, name: string): Promise<Secret>;
  /** Removes an empty directory. Does nothing if it does not exist. Throws if it is not empty or a mount point. */
  remove(path: string): Promise<void>;
  /** Names in a directory. Empty if it does not exist. */
  list(path: string): Promise<readonly string[]>;
}
