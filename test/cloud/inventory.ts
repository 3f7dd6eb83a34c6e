import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, ListEventBusesCommand, ListRulesCommand } from '@aws-sdk/client-eventbridge';
import { DescribeKeyCommand, KMSClient, ListKeysCommand } from '@aws-sdk/client-kms';
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  ListFunctionsCommand,
  ListLayersCommand,
} from '@aws-sdk/client-lambda';
import { ListScheduleGroupsCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { dynamoClient } from '#adapters/aws/dynamodb/connect.ts';
import { sqsClient } from '#test/support/ministack/queues.ts';
import { credentials, region } from '#test/support/ministack/start.ts';

type Named = readonly (string | undefined)[];

/** Lists every resource of an emulator as `kind name`, via its own API. A key that is pending deletion does not count. */
export async function inventory(endpoint: string): Promise<readonly string[]> {
  const of = { endpoint, region, credentials };
  const kinds: Readonly<Record<string, Named>> = {
    ...(await ofLambda(new LambdaClient(of))),
    ...(await ofEvents(new EventBridgeClient(of), new SchedulerClient(of))),
    table: (await dynamoClient(of).send(new ListTablesCommand({}))).TableNames ?? [],
    queue: (await sqsClient(endpoint).send(new ListQueuesCommand({}))).QueueUrls ?? [],
    log: ((await new CloudWatchLogsClient(of).send(new DescribeLogGroupsCommand({}))).logGroups ?? []).map(
      ({ logGroupName }) => logGroupName,
    ),
    key: await keys(new KMSClient(of)),
    role: await roles(endpoint),
  };
  return Object.entries(kinds).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`));
}

async function ofLambda(client: LambdaClient): Promise<Record<string, Named>> {
  const { Functions: functions = [] } = await client.send(new ListFunctionsCommand({}));
  const { EventSourceMappings: mappings = [] } = await client.send(new ListEventSourceMappingsCommand({}));
  const { Layers: layers = [] } = await client.send(new ListLayersCommand({}));
  return {
    function: functions.map(({ FunctionName }) => FunctionName),
    mapping: mappings.map(({ EventSourceArn }) => EventSourceArn),
    layer: layers.map(({ LayerName }) => LayerName),
  };
}

async function ofEvents(bridge: EventBridgeClient, scheduler: SchedulerClient): Promise<Record<string, Named>> {
  const { EventBuses: buses = [] } = await bridge.send(new ListEventBusesCommand({}));
  const rules = await Promise.all(
    buses.map(async ({ Name: EventBusName }) => bridge.send(new ListRulesCommand({ EventBusName }))),
  );
  const { ScheduleGroups: groups = [] } = await scheduler.send(new ListScheduleGroupsCommand({}));
  const { Schedules: schedules = [] } = await scheduler.send(new ListSchedulesCommand({}));
  return {
    bus: buses.map(({ Name }) => Name),
    rule: rules.flatMap(({ Rules = [] }) => Rules.map(({ Name }) => Name)),
    'schedule group': groups.map(({ Name }) => Name),
    schedule: schedules.map(({ Name }) => Name),
  };
}

async function keys(client: KMSClient): Promise<Named> {
  const { Keys = [] } = await client.send(new ListKeysCommand({}));
  const found = await Promise.all(Keys.map(({ KeyId }) => client.send(new DescribeKeyCommand({ KeyId }))));
  return found.flatMap(({ KeyMetadata: { Description, KeyState } = {} }) =>
    KeyState === 'PendingDeletion' ? [] : [Description],
  );
}

/** Calls IAM's query API directly, because no IAM client is installed. */
async function roles(endpoint: string): Promise<Named> {
  const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/iam/aws4_request, SignedHeaders=host, Signature=0`;
  const body = new URLSearchParams({ Action: 'ListRoles', Version: '2010-05-08', MaxItems: '1000' });
  const answer = await fetch(endpoint, { method: 'POST', headers: { authorization }, body });
  return Array.from((await answer.text()).matchAll(/<RoleName>([^<]*)</g), ([, name]) => name);
}
