import type { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, type ScheduleGroup, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Construct } from 'constructs';

/** A function and the rate of its schedule. */
export interface ScheduledFunction {
  readonly target: IFunction;
  readonly group: ScheduleGroup;
  readonly every: Duration;
  readonly description: string;
}

/** Invokes a function at a fixed rate with `{ "schedule": name }`. The name is in lower case. */
export function scheduled(
  scope: Construct,
  name: string,
  { target, group, every, description }: ScheduledFunction,
): void {
  new Schedule(scope, name, {
    scheduleGroup: group,
    description,
    schedule: ScheduleExpression.rate(every),
    target: new LambdaInvoke(target, {
      input: ScheduleTargetInput.fromObject({ schedule: name.toLowerCase() }),
      retryAttempts: 2,
    }),
  });
}
