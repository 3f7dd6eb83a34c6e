import { createHash } from 'node:crypto';
import { ConflictException, CreateScheduleCommand, type SchedulerClient } from '@aws-sdk/client-scheduler';
import type { Schedules } from '#lib/client/controller/schedules.ts';
import { defined } from '#lib/machinery/defined.ts';
import { storeFault } from '#lib/stream/service-fault.ts';

/** The queue and role of schedules that fire once. */
export interface OneOffOptions {
  /** The queue to which texts are sent, and the role that may send them. */
  readonly queueArn: string;
  readonly roleArn: string;
  /** An existing group of schedules. Default: the account's default group. */
  readonly group?: string;
}

/** Creates schedules that fire once and are deleted afterwards. The caller owns the client and closes it. */
export function oneOffSchedules(client: SchedulerClient, { queueArn, roleArn, group }: OneOffOptions): Schedules {
  return {
    async once(body, at) {
      const input = {
        Name: createHash('sha256').update(body).digest('hex'),
        ...defined({ GroupName: group }),
        ScheduleExpression: `at(${new Date(at).toISOString().slice(0, 19)})`,
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: 'DELETE',
        Target: { Arn: queueArn, RoleArn: roleArn, Input: body },
      } as const;
      try {
        await client.send(new CreateScheduleCommand(input));
      } catch (error) {
        if (error instanceof ConflictException) return; // the schedule already exists, because an earlier response was lost
        throw storeFault('the scheduler', error);
      }
    },
  };
}
