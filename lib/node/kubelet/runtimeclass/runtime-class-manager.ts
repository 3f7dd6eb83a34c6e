import { typedObject } from '#lib/api/typed.ts';
import type { RuntimeClass } from '#lib/api/types/node.v1.ts';
import { RUNTIME_CLASSES } from '#lib/api/types/resources.ts';
import { Reflector } from '#lib/client/controller/reflector.ts';
import type { ListWatch } from '#lib/client/list-watch.ts';
import type { Clock } from '#lib/machinery/clock.ts';

/** The ports of the manager. */
export interface RuntimeClassOptions {
  readonly from: ListWatch;
  readonly clock: Clock;
  random(): number;
  onFault(error: unknown): void;
}

/** Maps each RuntimeClass to its runtime handler (upstream: runtimeclass.Manager). */
export class RuntimeClassManager {
  readonly #options: RuntimeClassOptions;
  readonly #classes = new Map<string, RuntimeClass>();

  constructor(options: RuntimeClassOptions) {
    this.#options = options;
  }

  /** Follows the classes until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    const { from, clock, random, onFault } = this.#options;
    const deliver: ConstructorParameters<typeof Reflector>[0]['deliver'] = (change) => {
      if (change.type === 'DELETED') this.#classes.delete(change.name);
      else this.#classes.set(change.name, typedObject(RUNTIME_CLASSES, change.object()));
    };
    const listed = (): void => undefined;
    return new Reflector({ resource: RUNTIME_CLASSES, from, clock, random, deliver, listed, onFault, signal }).run();
  }

  /** The handler of a class, or '' without a class. Throws Error if the class does not exist. */
  lookupRuntimeHandler(name: string | undefined): string {
    if (name === undefined || name === '') return '';
    const found = this.#classes.get(name);
    if (found === undefined) throw new Error(`runtimeclass.node.k8s.io "${name}" not found`);
    return found.handler;
  }
}
