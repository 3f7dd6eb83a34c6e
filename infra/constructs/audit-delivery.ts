import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSubscriptionFilter, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type Context, ContextError } from '../context.ts';
import { allow } from './access.ts';

/** Selects the audit events among the lines that a function logs. */
const EVENTS = '{ $.kind = "Event" && $.auditID = "*" }';

/** The parts of the stack whose audit events are delivered. */
export interface AuditDeliveryProps {
  readonly context: Context;
  /** The log groups of all functions that contain an API server. */
  readonly logGroups: Readonly<Record<string, ILogGroup>>;
}

/**
 * Delivers audit events from log groups to the Firehose stream that the context names, which writes them to S3 or elsewhere. Delivery
 * delays no request. Throws ContextError if audit events are not logged as lines of JSON.
 */
export class AuditDelivery extends Construct {
  constructor(scope: Construct, id: string, { context, logGroups }: AuditDeliveryProps) {
    super(scope, id);
    const { auditFirehose: destinationArn, auditPolicyFile, auditWebhookConfigFile, auditLogPath } = context;
    if (destinationArn === undefined) return;
    if (auditPolicyFile === undefined) throw new ContextError('context auditFirehose needs auditPolicyFile');
    if (auditWebhookConfigFile !== undefined && auditLogPath === undefined)
      throw new ContextError('context auditFirehose needs auditLogPath=- beside auditWebhookConfigFile');
    if (context.auditLogFormat === 'legacy')
      throw new ContextError('context auditFirehose has no effect with auditLogFormat=legacy');
    const { region, account } = Stack.of(this);
    const put = allow('Put', ['firehose:PutRecord', 'firehose:PutRecordBatch'], destinationArn);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('logs.amazonaws.com', {
        conditions: {
          StringLike: { 'aws:SourceArn': `arn:${Stack.of(this).partition}:logs:${region}:${account}:*` },
        },
      }),
      description: `${Stack.of(this).stackName}: delivers audit events`,
      inlinePolicies: { Access: new PolicyDocument({ statements: [put] }) },
    });
    for (const [name, { logGroupName }] of Object.entries(logGroups)) {
      new CfnSubscriptionFilter(this, name, {
        logGroupName,
        filterPattern: EVENTS,
        destinationArn,
        roleArn: role.roleArn,
      });
    }
  }
}
