import type { Clock } from '#lib/machinery/clock.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import type { ImageService, RuntimeService } from '#lib/node/cri-api/services.ts';
import { FakeContainers } from './fake-containers.ts';
import { FakeImages, imageService } from './fake-image-service.ts';
import { type Caller, runtimeService } from './fake-runtime-calls.ts';

/** A step of a call: before it reaches the runtime, or after the runtime has executed it and before its response arrives. */
export interface CallStep {
  /** The name of the method, such as `runPodSandbox`. */
  readonly method: string;
  readonly phase: 'before' | 'after';
  /** Number of earlier steps of this connection. */
  readonly index: number;
}

/** One process that calls the runtime. */
export interface FakeConnection {
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  /** Ends the process like kill -9: no further call reaches the runtime, and no response reaches the process. */
  kill(): void;
  /** Resolves when the process is killed. */
  readonly killed: Promise<void>;
}

interface Fault {
  readonly method: string;
  readonly error: Error;
  readonly phase: 'before' | 'after';
  times: number;
}

/**
 * An in-memory container runtime with images that behaves like containerd: names are reserved per attempt, and stopping a sandbox ends its
 * containers. Containers follow their script and the clock.
 */
export class FakeRuntimeService {
  /** Sandboxes and containers, with the scripts of containers. */
  readonly containers: FakeContainers;
  /** The images on the node or in registries. */
  readonly images = new FakeImages();
  /** The names of all calls that reached the runtime, in order. */
  readonly calls: string[] = [];
  readonly #faults: Fault[] = [];

  constructor(clock: Clock) {
    this.containers = new FakeContainers(clock);
  }

  /**
   * Fails calls of a method. With `before`, the runtime does not execute them. With `after`, it does and the response is lost. Without
   * `times`, only the next call fails.
   */
  fail(method: string, error: Error = unavailable(), { phase = 'before', times = 1 }: FaultOptions = {}): void {
    this.#faults.push({ method, error, phase, times });
  }

  /** Removes all faults. */
  heal(): void {
    this.#faults.length = 0;
  }

  /** The clients of one process. `dies` is called at each step of each call and returns true to kill the process there. */
  connect(dies: (step: CallStep) => boolean = () => false): FakeConnection {
    const { promise: killed, resolve: kill } = Promise.withResolvers<void>();
    let dead = false;
    let index = 0;
    const end = (): void => {
      dead = true;
      kill();
    };
    const pass = async (method: string, phase: 'before' | 'after'): Promise<void> => {
      if (!dead && dies({ method, phase, index: index++ })) end();
      if (dead) await new Promise<never>(() => undefined);
    };
    const call: Caller = async (method, work) => {
      await pass(method, 'before');
      this.calls.push(method);
      this.containers.settle();
      this.#throwFault(method, 'before');
      const answer = await work();
      this.#throwFault(method, 'after');
      await pass(method, 'after');
      return answer;
    };
    return {
      runtime: runtimeService(this.containers, call),
      images: imageService(this.images, call),
      kill: end,
      killed,
    };
  }

  #throwFault(method: string, phase: 'before' | 'after'): void {
    const fault = this.#faults.find((one) => one.method === method && one.phase === phase && one.times > 0);
    if (fault === undefined) return;
    fault.times -= 1;
    throw fault.error;
  }
}

/** The options of a fault. */
export interface FaultOptions {
  readonly phase?: 'before' | 'after';
  readonly times?: number;
}

const unavailable = (): RpcError => new RpcError('Unavailable', 'connection error');
