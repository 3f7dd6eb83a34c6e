import * as z from 'zod';
import { selectionErrors } from '#lib/controller/selection.ts';
import { issuesText } from '#lib/machinery/issues.ts';
import { CONTROLLER_NAMES } from './wiring.ts';

const arn = z.string().startsWith('arn:');
const environment = z.object({
  /** Where clients reach the API: what the Service `kubernetes` and service accounts' tokens say. */
  DAVIT_ENDPOINT: z.url({ protocol: /^https$/ }),
  DAVIT_QUEUE_URL: z.url(),
  DAVIT_LATER_QUEUE_URL: z.url(),
  DAVIT_DLQ_URL: z.url(),
  /** The queue of what waits, and the role that schedules send to it by. Without both nothing waits longer than 15 minutes. */
  DAVIT_LATER_QUEUE_ARN: arn.optional(),
  DAVIT_SCHEDULE_ROLE: arn.optional(),
  /** Which controllers run, as upstream's `--controllers`. */
  DAVIT_CONTROLLERS: z
    .string()
    .default('*')
    .transform((text) => text.split(',').filter((one) => one !== ''))
    .superRefine((selection, context) => {
      for (const message of selectionErrors(selection, CONTROLLER_NAMES)) context.addIssue({ code: 'custom', message });
    }),
});

export interface Config {
  readonly endpoint: string;
  readonly queueUrl: string;
  readonly laterQueueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly schedules: { readonly queueArn: string; readonly roleArn: string } | undefined;
  readonly controllers: readonly string[];
}

/** Reads the environment. Throws TypeError, one line, that names what is wrong. */
export function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  const read = environment.safeParse(env);
  if (!read.success) throw new TypeError(issuesText(read.error.issues));
  const { data } = read;
  const [queueArn, roleArn] = [data.DAVIT_LATER_QUEUE_ARN, data.DAVIT_SCHEDULE_ROLE];
  return {
    endpoint: data.DAVIT_ENDPOINT,
    queueUrl: data.DAVIT_QUEUE_URL,
    laterQueueUrl: data.DAVIT_LATER_QUEUE_URL,
    deadLetterQueueUrl: data.DAVIT_DLQ_URL,
    schedules: queueArn === undefined || roleArn === undefined ? undefined : { queueArn, roleArn },
    controllers: data.DAVIT_CONTROLLERS,
  };
}
