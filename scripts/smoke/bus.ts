import { randomUUID } from 'node:crypto';
import {
  DeleteRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { Check } from './report.ts';

/** The number of long polls of 10 s after which an event counts as lost. */
const POLLS = 9;

/**
 * Checks that the bus carries an event for the commit that `act` makes, via a temporary rule and queue. `pattern` matches the event's
 * detail.
 */
export function busCheck(bus: string, pattern: object, act: () => Promise<unknown>): Check {
  const bridge = new EventBridgeClient({});
  // An emulator's queues have their own addresses.
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const name = `davit-smoke-${randomUUID().slice(0, 8)}`;
  return {
    says: `the bus ${bus} carries an event`,
    async run() {
      const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
      try {
        await lead(QueueUrl);
        await act();
        for (let poll = 0; poll < POLLS; poll++) {
          const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 10 }));
          if (Messages.length > 0) return;
        }
        throw new TypeError(`no event within ${POLLS * 10} s`);
      } finally {
        await bridge.send(new RemoveTargetsCommand({ Rule: name, EventBusName: bus, Ids: ['queue'] }));
        await bridge.send(new DeleteRuleCommand({ Name: name, EventBusName: bus }));
        await sqs.send(new DeleteQueueCommand({ QueueUrl }));
      }
    },
  };

  async function lead(QueueUrl: string): Promise<void> {
    const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
    const Arn = (await sqs.send(asked)).Attributes?.['QueueArn'] ?? '';
    const EventPattern = JSON.stringify({ detail: pattern });
    const { RuleArn = '' } = await bridge.send(new PutRuleCommand({ Name: name, EventBusName: bus, EventPattern }));
    const Condition = { ArnEquals: { 'aws:SourceArn': RuleArn } };
    const Principal = { Service: 'events.amazonaws.com' };
    const statement = { Effect: 'Allow', Principal, Action: 'sqs:SendMessage', Resource: Arn, Condition };
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
    await bridge.send(new PutTargetsCommand({ Rule: name, EventBusName: bus, Targets: [{ Id: 'queue', Arn }] }));
  }
}
