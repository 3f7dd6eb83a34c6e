import type { Pod } from '#lib/api/types/core.v1.ts';
import type { RuntimeHandler } from '#lib/node/cri-api/generated/runtime-v1.ts';

/** The handlers of a node, and which of them a RuntimeClass names. */
export interface HandlerSources {
  /** The runtime handler of a RuntimeClass, '' without a name. Throws StatusError NotFound for one that does not exist. */
  runtimeHandler(runtimeClassName: string | undefined): string;
  /** The handlers that the runtime tells; none of an old runtime. */
  runtimeHandlers(): readonly RuntimeHandler[];
}

/** Whether the pod's handler has recursive read-only mounts; a handler that is not known has none (upstream: runtimeClassSupportsRecursiveReadOnlyMounts). */
export function supportsRecursiveReadOnly({ spec }: Pod, sources: HandlerSources): boolean {
  try {
    const name = sources.runtimeHandler(spec.runtimeClassName);
    const handler = sources.runtimeHandlers().find((one) => one.name === name);
    return handler?.features?.recursiveReadOnlyMounts === true;
  } catch {
    return false;
  }
}
