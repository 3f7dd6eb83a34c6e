import { join } from 'node:path';
import * as z from 'zod';
import { selectionErrors } from '#lib/client/controller/selection.ts';
import type { NodeRange } from '#lib/controllers/node-ipam/decide.ts';
import { parseRanges } from '#lib/controllers/node-ipam/ranges.ts';
import { isPositiveDuration, millisecondsOf } from '#lib/machinery/duration.ts';
import { QUEUE_ENVIRONMENT, type QueueConfig, queueConfigOf, readEnvironment } from './queue-config.ts';
import { CONTROLLER_NAMES } from './wiring.ts';

const environment = QUEUE_ENVIRONMENT.extend({
  /** The controllers to run, in the syntax of upstream's `--controllers`. */
  DAVIT_CONTROLLERS: z
    .string()
    .default('*')
    .transform((text) => text.split(',').filter((one) => one !== ''))
    .superRefine((selection, context) => {
      for (const message of selectionErrors(selection, CONTROLLER_NAMES)) context.addIssue({ code: 'custom', message });
    }),
  /** Upstream's `--node-monitor-grace-period`. */
  DAVIT_NODE_MONITOR_GRACE_PERIOD: z
    .string()
    .refine(isPositiveDuration, 'must be a duration above zero, such as 50s')
    .transform(millisecondsOf)
    .optional(),
  /** The ranges of pod CIDRs for nodes, in the format of `rangesText`. */
  DAVIT_NODE_RANGES: z
    .string()
    .transform((text, context) => {
      const ranges = parseRanges(text);
      if (ranges === undefined) context.addIssue({ code: 'custom', message: 'must be networks with their masks' });
      return ranges ?? z.NEVER;
    })
    .optional(),
  /** Whether this function is in the API server's network, and therefore checks the availability of aggregated servers. */
  DAVIT_ASK_AGGREGATED: z.enum(['true', 'false']).default('true'),
  /** The directory of the bundle. */
  LAMBDA_TASK_ROOT: z.string().default('.'),
});

/** The configuration of the function that runs the built-in reconcilers. */
export interface Config extends QueueConfig {
  /** The file with users' declarations, which is optional. */
  readonly functions: string;
  readonly controllers: readonly string[];
  /** Time in ms without a heartbeat after which a node is unhealthy. Undefined: upstream's default. */
  readonly nodeMonitorGracePeriod: number | undefined;
  /** The ranges of nodes' pod CIDRs. Undefined: none. */
  readonly nodeRanges: readonly NodeRange[] | undefined;
  /** The file with the CA whose client certificates the front door verifies, PEM. It is optional. */
  readonly clientAuthority: string;
  /** Whether to check the availability of aggregated servers. */
  readonly asksAggregated: boolean;
}

/** Reads the environment. Throws TypeError with one line that names the invalid variables. */
export function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  const data = readEnvironment(environment, env);
  return {
    ...queueConfigOf(data),
    controllers: data.DAVIT_CONTROLLERS,
    nodeMonitorGracePeriod: data.DAVIT_NODE_MONITOR_GRACE_PERIOD,
    nodeRanges: data.DAVIT_NODE_RANGES,
    functions: join(data.LAMBDA_TASK_ROOT, 'functions.json'),
    asksAggregated: data.DAVIT_ASK_AGGREGATED === 'true',
    clientAuthority: join(data.LAMBDA_TASK_ROOT, 'client-ca.pem'),
  };
}
