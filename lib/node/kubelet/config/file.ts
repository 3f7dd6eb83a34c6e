import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { staticPodOf } from './static-pod.ts';

/** A manifest of the node: its path, and its bytes, at most ten MiB. */
export interface Manifest {
  readonly path: string;
  read(): Promise<Uint8Array>;
}

/** The ports of the source. */
export interface FileSourceOptions {
  readonly node: string;
  /** The regular files of the folder of static pods in order of their names, without those that begin with a dot; none where there is no folder. */
  manifests(): Promise<readonly Manifest[]>;
  readonly clock: Clock;
  /** Milliseconds between looks. */
  readonly frequency: number;
  /** Told all static pods, the first time and after each change. */
  set(pods: readonly Pod[]): void;
  /** A file cannot be read or is no pod; other files count. `path` is undefined where the folder cannot be read. */
  onFault(path: string | undefined, error: unknown): void;
  /** Resolves when the folder changed; looks are made each `frequency` all the same. */
  changed?(signal: AbortSignal): Promise<void>;
}

/** Follows the folder of static pods until the signal aborts (upstream: NewSourceFile). A folder that cannot be read changes nothing. */
export async function runFileSource(options: FileSourceOptions, signal: AbortSignal): Promise<void> {
  for (let told: readonly Pod[] | undefined; !signal.aborted; ) {
    const pods = await podsOf(options);
    if (pods !== undefined && (told === undefined || !equal([...told], [...pods]))) options.set(pods);
    told = pods ?? told;
    const looking = new AbortController();
    const ending = AbortSignal.any([signal, looking.signal]);
    const changed = options.changed === undefined ? [] : [options.changed(ending)];
    await Promise.race([options.clock.sleep(options.frequency, ending), ...changed]);
    looking.abort();
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
