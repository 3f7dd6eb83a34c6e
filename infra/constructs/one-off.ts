import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { allow } from './access.ts';

/** The role of one-time schedules, which send delayed messages to a queue if the delay exceeds the queue's maximum. */
export function oneOffRole(
  scope: Construct,
  { queue, group, whose }: { readonly queue: Queue; readonly group: ScheduleGroup; readonly whose: string },
): Role {
  // The service names the group as the source: schedules elsewhere in the account may not use the role.
  const source = { 'aws:SourceAccount': Stack.of(scope).account, 'aws:SourceArn': group.scheduleGroupArn };
  return new Role(scope, 'ScheduleRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions: { StringEquals: source } }),
    description: `${Stack.of(scope).stackName}: schedules of ${whose}`,
    inlinePolicies: {
      Access: new PolicyDocument({ statements: [allow('Send', ['sqs:SendMessage'], queue.queueArn)] }),
    },
  });
}

/** To make schedules in the stack's own group, which goes with it, in the name of that role alone. */
export function oneOffAccess(role: Role, { scheduleGroupName }: ScheduleGroup): readonly PolicyStatement[] {
  const pass = allow('ScheduleRole', ['iam:PassRole'], role.roleArn);
  pass.addCondition('StringEquals', { 'iam:PassedToService': 'scheduler.amazonaws.com' });
  const resourceName = `${scheduleGroupName}/*`;
  const schedules = Stack.of(role).formatArn({ service: 'scheduler', resource: 'schedule', resourceName });
  return [allow('Schedules', ['scheduler:CreateSchedule'], schedules), pass];
}
