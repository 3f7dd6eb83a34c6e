import { systemClock as clock } from '#adapters/clock.ts';
import { decodeLook, type FollowedState, type FollowedType } from '#lib/channel/look.ts';
import { listWatch, type ListWatch } from '#lib/client/list-watch.ts';
import { lookingListWatch } from '#lib/kubelet/looks/looking-list-watch.ts';
import { Looks } from '#lib/kubelet/looks/looks.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { PodContext } from './context.ts';

/** Milliseconds that an object is good for where looks tell of its changes: only a look that is missed needs a bound. */
const GOOD_FOR = 3_600_000;

/** The way to learn of changes in the API: watches, or with `--look-frequency` looks, which hold no connection. */
export class Following {
  readonly #context: Pick<PodContext, 'connection'>;
  readonly #looks: Looks | undefined;

  constructor({ connection, options, log }: Pick<PodContext, 'connection' | 'options' | 'log'>) {
    this.#context = { connection };
    const { node, lookFrequency: frequency } = options;
    if (frequency === undefined) return;
    const path = `/apis/node.davit.dev/v1/nodes/${node}/look`;
    this.#looks = new Looks({
      look: async (known) =>
        decodeLook(await connection.client.document(`${path}?${new URLSearchParams(known).toString()}`)),
      clock,
      random: () => Math.random(),
      frequency,
      onFault: log.fault('cannot look for changes'),
    });
  }

  /** Lists and follows the objects of a type; with a field selector those that it selects. */
  listWatch(type: FollowedType, resource: GroupVersionResource, fieldSelector = ''): ListWatch {
    const watches = listWatch(this.#context.connection.requests, resource, '', fieldSelector);
    return this.#looks === undefined ? watches : lookingListWatch(this.#looks, type, watches);
  }

  /** Milliseconds that an object which was fetched is good for; undefined where nothing tells of its changes. */
  get goodFor(): number | undefined {
    return this.#looks === undefined ? undefined : GOOD_FOR;
  }

  /** Tells the state of a type with each look that shows another one. */
  listen(type: FollowedType, listener: (state: FollowedState) => void): void {
    this.#looks?.listen(type, listener);
  }

  /** Looks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#looks?.run(signal);
  }
}
