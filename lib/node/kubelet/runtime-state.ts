import type { Clock } from '#lib/machinery/clock.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import type { RuntimeStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';

/** Time in ms since the last good status after which the runtime counts as down (upstream: maxWaitForContainerRuntime). */
const THRESHOLD = 30_000;

/** The reason why a part of the node is unhealthy, or undefined if it is healthy. */
export interface HealthCheck {
  readonly name: string;
  fault(): string | undefined;
}

/** The last status that the container runtime reported (upstream: runtimeState). Its errors make the node NotReady. */
export class RuntimeState {
  readonly #clock: Clock;
  readonly #checks: readonly HealthCheck[];
  #lastSync: number | undefined;
  #runtimeError: string | undefined;
  #networkError: string | undefined = 'network state unknown';

  constructor(clock: Clock, checks: readonly HealthCheck[] = []) {
    this.#clock = clock;
    this.#checks = checks;
  }

  /** Records a status of the runtime (upstream: updateRuntimeUp). */
  update({ conditions }: Pick<RuntimeStatus, 'conditions'>): void {
    this.#networkError = notReady('container runtime network not ready', conditions, 'NetworkReady');
    this.#runtimeError = notReady('container runtime not ready', conditions, 'RuntimeReady');
    if (this.#runtimeError === undefined) this.#lastSync = this.#clock.monotonic();
  }

  /** The reasons why pods cannot be synced. */
  runtimeErrors(): string[] {
    const checked = this.#checks.flatMap((check) => {
      const fault = check.fault();
      return fault === undefined ? [] : [`${check.name} is not healthy: ${fault}`];
    });
    return [...this.#syncErrors(), ...checked, ...listed(this.#runtimeError)];
  }

  /** The reasons why pods get no network. */
  networkErrors(): string[] {
    return listed(this.#networkError);
  }

  #syncErrors(): string[] {
    if (this.#lastSync === undefined) return ['container runtime status check may not have completed yet'];
    return this.#lastSync + THRESHOLD <= this.#clock.monotonic() ? ['container runtime is down'] : [];
  }
}

const listed = (error: string | undefined): string[] => (error === undefined ? [] : [error]);

function notReady(prefix: string, conditions: RuntimeStatus['conditions'], type: string): string | undefined {
  const condition = findCondition(conditions, type);
  if (condition?.status === true) return undefined;
  const text =
    condition === undefined
      ? '<nil>'
      : `${type}=${condition.status} reason:${condition.reason} message:${condition.message}`;
  return `${prefix}: ${text}`;
}
