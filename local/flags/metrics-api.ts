import { type Command, InvalidArgumentError } from 'commander';
import { millisecondsOf } from '#lib/machinery/duration.ts';
import { LEAST_RESOLUTION } from '#lib/sdk/metrics-server/scraper.ts';
import type { StartOptions } from '../start-options.ts';
import { duration } from './duration.ts';
import { truth } from './truth.ts';

/** Flags that enable the metrics of nodes and pods, and set their maximum age as in metrics-server. */
export interface MetricsApiFlags {
  readonly metricsApi: boolean;
  readonly metricResolution: string;
}

/** Adds the flags to the command. */
export function metricsApiFlags(command: Command): Command {
  return command
    .option(
      '--metrics-api [bool]',
      'serve metrics.k8s.io, for kubectl top and autoscaling by CPU and memory',
      truth,
      false,
    )
    .option(
      '--metric-resolution <duration>',
      'how long the metrics of a node are good, once they are asked for',
      resolution,
      '60s',
    );
}

function resolution(text: string): string {
  if (millisecondsOf(duration(text)) < LEAST_RESOLUTION)
    throw new InvalidArgumentError('It is a duration of at least 10s.');
  return text;
}

/** The start option that the flags set. */
export const metricsApiOf = ({ metricsApi, metricResolution }: MetricsApiFlags): Pick<StartOptions, 'metricsApi'> =>
  metricsApi ? { metricsApi: { resolution: millisecondsOf(metricResolution) } } : {};
