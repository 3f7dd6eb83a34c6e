import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Construct } from 'constructs';

/** Invokes a function every hour with `{ "schedule": "hourly" }`. */
export function hourly(scope: Construct, target: IFunction, description: string): void {
  new Schedule(scope, 'Hourly', {
    description,
    schedule: ScheduleExpression.rate(Duration.hours(1)),
    target: new LambdaInvoke(target, {
      input: ScheduleTargetInput.fromObject({ schedule: 'hourly' }),
      retryAttempts: 2,
    }),
  });
}
