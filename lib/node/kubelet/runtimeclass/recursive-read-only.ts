import type { Pod } from '#lib/api/types/core.v1.ts';
import type { RuntimeHandler } from '#lib/node/cri-api/generated/runtime-v1.ts';

/** The handlers of a node, and the handler of a RuntimeClass. */
export interface HandlerSources {
  /** The runtime handler of a RuntimeClass, or '' without a name. Throws StatusError NotFound if the class does not exist. */
  runtimeHandler(runtimeClassName: string | undefined): string;
  /** The handlers that the runtime reports. Empty for an old runtime. */
  runtimeHandlers(): readonly RuntimeHandler[];
}

/**
 * Whether the pod's handler supports recursive read-only mounts. An unknown handler does not (upstream:
 * runtimeClassSupportsRecursiveReadOnlyMounts).
 */
export function supportsRecursiveReadOnly({ spec }: Pod, sources: HandlerSources): boolean {
  try {
    const name = sources.runtimeHandler(spec.runtimeClassName);
    const handler = sources.runtimeHandlers().find((one) => one.name === name);
    return handler?.features?.recursiveReadOnlyMounts === true;
  } catch {
    return false;
  }
}
