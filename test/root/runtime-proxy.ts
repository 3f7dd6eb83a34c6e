import { setImmediate as turn } from 'node:timers/promises';
import { dialSocket, type SocketChannel } from '#adapters/node/grpc/client.ts';
import { type Service, type SocketServer, serveSocket, service } from '#adapters/node/grpc/server.ts';
import type { CallOptions, ServiceClient, ServiceDefinition, ServiceHandlers } from '#lib/machinery/rpc.ts';
import { ImageServiceDefinition, RuntimeServiceDefinition } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { SOCKET } from './container-runtime.ts';

/**
 * When to stop a call. `before`: the runtime never receives the call. `during`: the caller disappears while the runtime works. `after`: the
 * caller misses the response.
 */
export type Moment = 'before' | 'during' | 'after';

/** The nth call of a method from now on, by its gRPC name. */
export interface Step {
  readonly call: string;
  readonly nth: number;
  readonly moment: Moment;
}

interface Trap extends Step {
  spring(): void;
}

/** A socket between the agent and the container runtime. Tests can intercept each step of a pod's life on it. */
export class RuntimeProxy implements AsyncDisposable {
  /** The calls since the trap was set, in order. */
  calls: string[] = [];
  /** The time in milliseconds that the runtime took for calls, by name. */
  readonly taken = new Map<string, number>();
  readonly #channel: SocketChannel;
  #server: SocketServer | undefined;
  #trap: Trap | undefined;

  private constructor(channel: SocketChannel) {
    this.#channel = channel;
  }

  /** Listens at a path. The runtime may start later. */
  static async start(path: string): Promise<RuntimeProxy> {
    const proxy = new RuntimeProxy(dialSocket(SOCKET));
    const services = [RuntimeServiceDefinition, ImageServiceDefinition].map((one) => proxy.#forwarded(one));
    proxy.#server = await serveSocket(path, services);
    return proxy;
  }

  /** Resolves after the step was reached and `spring` was called. */
  reached(step: Step, spring: () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.calls = [];
    this.#trap = {
      ...step,
      spring: () => {
        this.#trap = undefined;
        spring();
        resolve();
      },
    };
    return promise;
  }

  #forwarded<D extends ServiceDefinition>(definition: D): Service {
    const client: ServiceClient<D> = this.#channel.client(definition);
    const handlers = Object.entries(definition.methods).map(([key, { name, responseStream }]) => {
      // The definition has the types of its methods, but its entries do not.
      const call = client[key] as (request: unknown, options: CallOptions) => never;
      const streamed = (request: unknown, signal: AbortSignal): AsyncIterable<unknown> => call(request, { signal });
      const answered = (request: unknown, signal: AbortSignal): Promise<unknown> =>
        this.#caught(name, () => call(request, { signal }));
      return [key, responseStream ? streamed : answered];
    });
    return service(definition, Object.fromEntries(handlers) as ServiceHandlers<D>);
  }

  async #caught(call: string, forward: () => Promise<unknown>): Promise<unknown> {
    this.calls.push(call);
    const trap = this.#isDue(call) ? this.#trap : undefined;
    if (trap?.moment === 'before') {
      trap.spring();
      throw new Error('the caller is gone');
    }
    const began = performance.now();
    const answer = forward().finally(() =>
      this.taken.set(call, (this.taken.get(call) ?? 0) + performance.now() - began),
    );
    if (trap?.moment === 'during') {
      await turn(); // the request has been sent
      trap.spring();
    }
    return answer.finally(() => trap?.moment === 'after' && trap.spring());
  }

  #isDue(call: string): boolean {
    return this.#trap?.call === call && this.calls.filter((one) => one === call).length === this.#trap.nth;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.close();
    this.#channel[Symbol.dispose]();
  }
}
