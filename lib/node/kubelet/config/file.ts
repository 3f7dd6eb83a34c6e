import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { aborted } from '#lib/machinery/wait/on-abort.ts';
import { atMost } from '#lib/machinery/wait/within.ts';
import { staticPodOf } from './static-pod.ts';

/** A static pod manifest: its path and its content of at most 10 MiB. */
export interface Manifest {
  readonly path: string;
  read(): Promise<Uint8Array>;
}

/** The ports of the source. */
export interface FileSourceOptions {
  readonly node: string;
  /** The regular files in the static pod directory, ordered by name, without dot files. Empty if the directory does not exist. */
  manifests(): Promise<readonly Manifest[]>;
  readonly clock: Clock;
  /** Interval in ms between scans. */
  readonly frequency: number;
  /** Called with all static pods, the first time and after each change. */
  set(pods: readonly Pod[]): void;
  /**
   * Called for a file that is unreadable or not a pod. Other files remain in effect. `path` is undefined if the directory is unreadable.
   */
  onFault(path: string | undefined, error: unknown): void;
  /** Resolves when the directory changed. Scans still happen every `frequency`. */
  changed?(signal: AbortSignal): Promise<void>;
}

/**
 * Follows the static pod directory until the signal aborts (upstream: NewSourceFile). If the directory is unreadable, the last known pods
 * stay in effect.
 */
export async function runFileSource(options: FileSourceOptions, signal: AbortSignal): Promise<void> {
  for (let told: readonly Pod[] | undefined; !signal.aborted; ) {
    const pods = await podsOf(options);
    if (pods !== undefined && (told === undefined || !equal([...told], [...pods]))) options.set(pods);
    told = pods ?? told;
    const changed = (ending: AbortSignal): Promise<void> => options.changed?.(ending) ?? aborted(ending);
    await atMost(options.frequency, changed, { clock: options.clock, signal });
  }
}

async function podsOf(options: FileSourceOptions): Promise<readonly Pod[] | undefined> {
  try {
    const pods: Pod[] = [];
    for (const manifest of await options.manifests()) {
      const pod = await podOf(manifest, options);
      if (pod !== undefined) pods.push(pod);
    }
    return pods;
  } catch (error) {
    options.onFault(undefined, error);
    return undefined;
  }
}

async function podOf({ path, read }: Manifest, { node, onFault }: FileSourceOptions): Promise<Pod | undefined> {
  try {
    return staticPodOf(await read(), { file: path, node });
  } catch (error) {
    onFault(path, error);
    return undefined;
  }
}
