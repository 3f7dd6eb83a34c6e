import { createHash } from 'node:crypto';
import { ConflictException, CreateScheduleCommand, type SchedulerClient } from '@aws-sdk/client-scheduler';
import type { Schedules } from '#lib/client/controller/schedules.ts';
import { defined } from '#lib/machinery/defined.ts';
import { storeFault } from '#lib/stream/service-fault.ts';

/** The queue and role of schedules that fire once. */
export interface OneOffOptions {
  /** The queue that texts are sent to, and the role that may. */
  readonly queueArn: string;
  readonly roleArn: string;
  /** A group of schedules that is there. Default the account's own. */
  readonly group?: string;
}

/** Schedules that fire once and are gone then. The client is the caller's, and so is its end. */
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
        if (error instanceof ConflictException) return; // it was asked for before, and the answer was lost
        throw storeFault('the scheduler', error);
      }
    },
  };
}
