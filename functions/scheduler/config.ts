import { join } from 'node:path';
import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';

const arn = z.string().startsWith('arn:');

const environment = z.object({
  /** The URL that clients use for the API. */
  DAVIT_ENDPOINT: z.url({ protocol: /^https$/ }),
  /** The queue that triggers the function. */
  DAVIT_QUEUE_ARN: arn,
  DAVIT_QUEUE_URL: z.url(),
  /** The role with which schedules send to that queue. The next variable is the group of these schedules. */
  DAVIT_SCHEDULE_ROLE: arn,
  DAVIT_SCHEDULE_GROUP: z.string().min(1),
  /** The directory of the bundle. */
  LAMBDA_TASK_ROOT: z.string().default('.'),
});

/** The configuration of the function that schedules pods. */
export interface Config {
  /** `host:port` */
  readonly address: string;
  /** The file with a KubeSchedulerConfiguration as JSON, which is optional. */
  readonly file: string;
  /** The queue that triggers the function. */
  readonly queueUrl: string;
  /** The queue and role of schedules that trigger a run at a given time. */
  readonly schedules: {
    readonly queueArn: string;
    readonly roleArn: string;
    readonly group: string;
  };
}

/** Reads the environment. Throws TypeError with one line that names the invalid variables. */
export function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  const read = environment.safeParse(env);
  if (!read.success) throw new TypeError(issuesText(read.error.issues));
  const { data } = read;
  const { hostname, port } = new URL(data.DAVIT_ENDPOINT);
  return {
    file: join(data.LAMBDA_TASK_ROOT, 'scheduler.json'),
    address: `${hostname}:${port === '' ? '443' : port}`,
    queueUrl: data.DAVIT_QUEUE_URL,
    schedules: {
      queueArn: data.DAVIT_QUEUE_ARN,
      roleArn: data.DAVIT_SCHEDULE_ROLE,
      group: data.DAVIT_SCHEDULE_GROUP,
    },
  };
}
