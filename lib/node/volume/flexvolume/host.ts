import type { Secret } from '#lib/api/types/core.v1.ts';
import type { VolumeHost } from '../host.ts';

/** The node as the volumes of FlexVolume drivers see it. */
export interface FlexHost {
  readonly host: VolumeHost;
  readonly node: string;
  /** Throws where there is none, with the server's words. */
  secret(namespace: string, name: string): Promise<Secret>;
  /** Removes an empty folder; nothing where it is missing. Throws where it is not empty, or a mount point. */
  remove(path: string): Promise<void>;
  /** Names in a folder; none where it is missing. */
  list(path: string): Promise<readonly string[]>;
}
