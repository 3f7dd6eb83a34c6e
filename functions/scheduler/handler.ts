import { existsSync, readFileSync } from 'node:fs';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import type { Context } from 'aws-lambda';
import { oneOffSchedules } from '#adapters/aws/scheduler/one-off.ts';
import { frozenClock, systemClock } from '#adapters/clock.ts';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import { carryingInvocation, duringWork } from '#adapters/process/work.ts';
import { configOf as apiserverConfig } from '#functions/apiserver/config.ts';
import { openPlatform, reportFault, reportUnhandled } from '#functions/apiserver/platform.ts';
import type { Client } from '#lib/client/client.ts';
import { EventSeries } from '#lib/client/events/event-series.ts';
import { defined } from '#lib/machinery/defined.ts';
import { newUid } from '#lib/machinery/random.ts';
import { schedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import { configOf } from './config.ts';
import { scheduleOnce } from './look.ts';
import { newExtenderConnections, scheduleAll, schedulerClient } from './wiring.ts';
import { looksToCheck, wordText } from './words.ts';

const config = configOf(process.env);
const serverConfig = apiserverConfig(process.env);
const configuration = schedulerConfiguration(
  existsSync(config.file) ? JSON.parse(readFileSync(config.file, 'utf8')) : undefined,
);
const schedules = oneOffSchedules(new SchedulerClient({}), config.schedules);
const token = newUid();
/** Kept for the lifetime of the warm instance, because each run creates a scheduler. */
const events = new EventSeries(frozenClock);
/** Time in ms at the end of an invocation that is reserved for cleanup after the work. */
const RESERVE = 10_000;

type Platform = Awaited<ReturnType<typeof openPlatform>>;
let started: Promise<Platform> | undefined;

/** Tries to schedule all waiting pods, whatever the trigger. If it throws, the batch is redelivered. */
export async function handler(event: unknown, context: Context): Promise<void> {
  outliveErrors(reportUnhandled);
  const platform = await (started ??= start());
  const { handle: asked } = platform.server;
  const handle = carryingInvocation(asked);
  const { awsRequestId: requestId } = context;
  const look = (): Promise<void> =>
    scheduleOnce({
      client: schedulerClient({ handle, token }),
      clock: systemClock,
      identity: context.awsRequestId,
      schedulerNames: new Set(configuration.profiles.map(({ schedulerName }) => schedulerName)),
      ...defined({ after: looksToCheck(event) }),
      schedule(client, lost) {
        const late = AbortSignal.timeout(context.getRemainingTimeInMillis() - RESERVE);
        return schedule(platform, client, AbortSignal.any([late, lost]));
      },
      lookIn: async (milliseconds, after) => (await later())(wordText(after, context.awsRequestId), milliseconds),
      lookAt: (at) => schedules.once(JSON.stringify({ at: minuteOf(at) }), at),
      reportFault: report,
    });
  await duringWork({ requestId, invocation: requestId }, look);
}

/** Sends messages to the function's own queue. The SQS client is loaded when a pod waits. */
const later = (): ReturnType<typeof openQueue> => (queue ??= openQueue());
let queue: ReturnType<typeof openQueue> | undefined;

async function openQueue() {
  const [{ SQSClient }, { delayedMessages }] = await Promise.all([
    import('@aws-sdk/client-sqs'),
    import('#adapters/aws/sqs/delayed.ts'),
  ]);
  return delayedMessages(new SQSClient({}), config.queueUrl);
}

const report = (error: unknown): void => reportFault('scheduler', error);

async function schedule({ server, channels }: Platform, client: Client, signal: AbortSignal): Promise<boolean> {
  using connections = configuration.extenders.length === 0 ? undefined : await newExtenderConnections(server, channels);
  const parts = {
    client,
    clock: systemClock,
    events,
    random: Math.random,
    configuration,
    connections,
    reportFault: report,
  };
  return await scheduleAll(parts, signal);
}

/** Truncates to the minute, so that at most one schedule per minute is created, however many runs leave pods waiting. */
const minuteOf = (at: number): string => new Date(at).toISOString().slice(0, 16);

async function start(): Promise<Platform> {
  try {
    return await openPlatform(serverConfig, config.address, new Map([[token, SCHEDULER_USER]]));
  } catch (error) {
    started = undefined;
    throw error;
  }
}
