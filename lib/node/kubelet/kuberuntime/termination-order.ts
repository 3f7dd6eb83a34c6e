import type { Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { atMost } from '#lib/machinery/wait/within.ts';

interface Turn {
  readonly ended: Promise<void>;
  end(): void;
}

/** The termination order of containers: sidecars after all regular containers, the last sidecar first (upstream: terminationOrdering). */
export class TerminationOrdering {
  readonly #clock: Clock;
  readonly #turns = new Map<string, Turn>();
  readonly #before = new Map<string, Promise<void>[]>();

  /** `running` are the names of the running containers. Others are not waited for. */
  constructor(clock: Clock, { spec }: Pod, running: ReadonlySet<string>) {
    this.#clock = clock;
    const regular = (spec.containers ?? []).map(({ name }) => this.#turn(name, running).ended);
    let later: Promise<void>[] = [];
    for (const container of [...(spec.initContainers ?? [])].reverse()) {
      const { ended } = this.#turn(container.name, running);
      if (!isSidecar(container)) continue;
      this.#before.set(container.name, [...regular, ...later]);
      later = [ended];
    }
  }

  /** Waits for the container's turn, at most for the grace period in seconds. Returns the elapsed seconds, rounded down. */
  async waitForTurn(name: string, gracePeriod: number): Promise<number> {
    const before = this.#before.get(name) ?? [];
    if (before.length === 0 || gracePeriod <= 0) return 0;
    const start = this.#clock.monotonic();
    await atMost(gracePeriod * 1000, () => Promise.all(before), { clock: this.#clock });
    return Math.floor((this.#clock.monotonic() - start) / 1000);
  }

  /** Ends the wait for this container. */
  containerTerminated(name: string): void {
    this.#turns.get(name)?.end();
  }

  #turn(name: string, running: ReadonlySet<string>): Turn {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const turn = { ended, end };
    this.#turns.set(name, turn);
    if (!running.has(name)) end();
    return turn;
  }
}
