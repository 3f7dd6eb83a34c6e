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
  // The service passes the group as the source, so schedules elsewhere in the account cannot use the role.
  const source = { 'aws:SourceAccount': Stack.of(scope).account, 'aws:SourceArn': group.scheduleGroupArn };
  return new Role(scope, 'ScheduleRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions: { StringEquals: source } }),
    description: `${Stack.of(scope).stackName}: schedules of ${whose}`,
    inlinePolicies: {
      Access: new PolicyDocument({ statements: [allow('Send', ['sqs:SendMessage'], queue.queueArn)] }),
    },
  });
}

/** Permission to create schedules in the stack's own group, with only this role. The group is deleted with the stack. */
export function oneOffAccess(role: Role, { scheduleGroupName }: ScheduleGroup): readonly PolicyStatement[] {
  const pass = allow('ScheduleRole', ['iam:PassRole'], role.roleArn);
  pass.addCondition('StringEquals', { 'iam:PassedToService': 'scheduler.amazonaws.com' });
  const resourceName = `${scheduleGroupName}/*`;
  const schedules = Stack.of(role).formatArn({ service: 'scheduler', resource: 'schedule', resourceName });
  return [allow('Schedules', ['scheduler:CreateSchedule'], schedules), pass];
}
