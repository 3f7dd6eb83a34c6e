import { readFileSync } from 'node:fs';
import { podConnections } from '#adapters/server/kubelet/pod-connections.ts';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { EventSeries } from '#lib/client/events/event-series.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { untilAborted } from '#lib/machinery/wait/unless-aborted.ts';
import { type SchedulerConfiguration, schedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import { httpExtender } from '#lib/scheduler/extender/http-extender.ts';
import { extenderTls } from '#lib/scheduler/extender/tls.ts';
import type { ExtenderTransport } from '#lib/scheduler/extender/transport.ts';
import { Scheduler } from '#lib/scheduler/scheduler.ts';
import type { Strategy } from '#lib/scheduler/strategy.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import { ChannelDialer } from '#lib/server/channel/channel-dialer.ts';
import type { Channels } from '#lib/server/channel/channels.ts';
import type { ServiceResolver } from '#lib/server/webhook/service-resolver.ts';

/** The ports of a scheduler. */
export interface SchedulerParts {
  readonly client: Client;
  readonly clock: Clock;
  /** Returns a number from 0 up to, but not including, 1. */
  random(): number;
  /** Default: upstream's. */
  readonly configuration?: SchedulerConfiguration | undefined;
  /** The transport to the extenders in the configuration. Without a transport, they are not called. */
  readonly connections?: ExtenderConnections | undefined;
  /** How nodes are selected. Default: one pod at a time. */
  readonly strategy?: Strategy | undefined;
  /** Tracks the event series of the process. Default: those of this scheduler only. */
  readonly events?: EventSeries;
  reportFault(error: unknown): void;
}

/** A client that acts as a scheduler through an API server in this process. The token authenticates as the scheduler's user there. */
export const schedulerClient = (
  { handle, token }: Pick<Apiserver, 'handle'> & { readonly token: string },
  userAgent = 'kube-scheduler',
): Client => apiClient({ handle, token, userAgent });

/** The transport to extenders. */
export interface ExtenderConnections {
  readonly transport: ExtenderTransport;
  /** Resolves the Services in the URLs of extenders. */
  readonly services: ServiceResolver;
  /** Reads a file that the configuration names. */
  readFile(path: string): string;
}

/**
 * The scheduler's outgoing connections. In a function, files are read from the folder of the bundle. Pods are reached via `channels`, the
 * channels of nodes.
 */
export async function newExtenderConnections(
  { services }: Pick<Apiserver, 'services'>,
  channels?: Channels,
): Promise<ExtenderConnections & Disposable> {
  const { HttpExtenderTransport } = await import('#adapters/server/webhook/extender-transport.ts');
  const transport = new HttpExtenderTransport(
    channels && podConnections(new ChannelDialer(channels), SCHEDULER_USER.name),
  );
  return {
    transport,
    services,
    readFile: (path) => readFileSync(path, 'utf8'),
    [Symbol.dispose]: () => transport[Symbol.dispose](),
  };
}

/** A scheduler with an empty cache. Throws ProfileError, and errors in the configuration of extenders. */
export function buildScheduler({
  configuration = schedulerConfiguration(),
  connections,
  strategy,
  ...parts
}: SchedulerParts): Scheduler {
  const { profiles, percentageOfNodesToScore, backoff, extenders } = configuration;
  const options = { profiles, percentageOfNodesToScore, backoff, ...parts, ...defined({ strategy }) };
  if (connections === undefined) return new Scheduler(options);
  const { transport, services, readFile } = connections;
  return new Scheduler({
    ...options,
    extenders: (node) =>
      extenders.map((one) => httpExtender(one, { transport, services, tls: extenderTls(one, readFile), node })),
  });
}

/**
 * Places all waiting pods based on the current objects. Call it after a change. Resolves with true if no pod waits any more. After the
 * signal aborts, it starts no new work.
 */
export async function scheduleAll(
  parts: SchedulerParts,
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const scheduler = buildScheduler(parts);
  try {
    await scheduler.load();
    if (!signal.aborted) await untilAborted(scheduler.settle(), signal);
    return !signal.aborted && scheduler.waiting === 0;
  } finally {
    await scheduler.close();
  }
}
