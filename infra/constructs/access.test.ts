import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FRONT_DOORS } from '../context.ts';
import { templateOf } from '../testing.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}
interface Policy {
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
}
type Named = Readonly<Record<string, { readonly Properties?: Readonly<Record<string, unknown>> }>>;

/** The permissions of each role as `actions on resources`, with the service that they are restricted to. */
function rights(context: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly string[]>> {
  const template = templateOf(context);
  const roles = Object.entries(template.findResources('AWS::IAM::Role') as Named);
  const attached = Object.values(template.findResources('AWS::IAM::Policy') as Named);
  const all = roles.map(([id, { Properties = {} }]): [string, string[]] => {
    const inline = (Properties['Policies'] ?? []) as readonly Policy[];
    const others = attached.flatMap(({ Properties: its = {} }) =>
      JSON.stringify(its['Roles']).includes(`"${id}"`) ? [its as unknown as Policy] : [],
    );
    return [plain(id), [...inline, ...others].flatMap(({ PolicyDocument }) => PolicyDocument.Statement.map(right))];
  });
  return Object.fromEntries(all);
}

function right({ Effect, Action, Resource, Condition }: Statement): string {
  const text = JSON.stringify(Condition ?? {});
  const keys = /"dynamodb:LeadingKeys":\[([^\]]*)\]/.exec(text)?.[1]?.replaceAll('"', '').replaceAll(',', ' ');
  const through =
    Condition === undefined ? '' : ` if ${keys === undefined ? /"((?:kms|iam):[^"]+)"/.exec(text)?.[1] : keys}`;
  if (Action === 'execute-api:ManageConnections') return `${Action} on ${connections(Resource)}`;
  return `${Effect === 'Allow' ? '' : Effect}${[Action].flat().join(' ')} on ${[Resource].flat().map(named).join(' ')}${through}`;
}

/** The methods and the stage of the connections in a statement's resources. */
function connections(resources: unknown): string {
  const all = [resources].flat().map((one) => {
    const text = JSON.stringify(one);
    const [, stage, method] = /"\/(\w+)\/(\w+)\/@connections\/\*"/.exec(text) ?? [];
    const [, api = ''] = /"Ref":"(Channel\w+)"/.exec(text) ?? [];
    return { method, of: `${plain(api)}/${stage}` };
  });
  return `${all.map(({ method }) => method).join(' ')} of ${[...new Set(all.map(({ of }) => of))].join(' ')}`;
}

function named(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const schedules = /schedule\/\S+\*/.exec(JSON.stringify(resource));
  if (schedules !== null) return schedules[0];
  const [invoked] = /function:davit-[a-z-]+(?=-)/.exec(JSON.stringify(resource)) ?? [];
  if (invoked !== undefined) return invoked;
  const [, id = '', attribute = ''] = /"Fn::GetAtt":\["(\w+)","(\w+)"\]/.exec(JSON.stringify(resource)) ?? [];
  return `${plain(id)}.${attribute}${JSON.stringify(resource).includes(':*') ? ':*' : ''}`;
}

/** A logical id without its hash. */
const plain = (id: string): string => id.replace(/[0-9A-F]{8}$/, '');

const OBJECTS = 'log/* state/* marks/* chunk/* dependents/* index/* names';
const tableOf = (parts: string): readonly string[] => [
  `dynamodb:GetItem dynamodb:Query dynamodb:PutItem dynamodb:UpdateItem dynamodb:DeleteItem on StoreTable.Arn if ${parts}`,
  'kms:Encrypt kms:Decrypt kms:ReEncryptFrom kms:ReEncryptTo kms:GenerateDataKey kms:DescribeKey on StoreKey.Arn if kms:ViaService',
  'kms:Encrypt kms:Decrypt on StoreKey.Arn if kms:EncryptionContext:davit.dev/cluster',
];
const writes = (log: string): string => `logs:CreateLogStream logs:PutLogEvents on ${log}.Arn`;

const SHARED = {
  ReconcilersScheduleRole: ['sqs:SendMessage on QueuesLater.Arn'],
  DoorbellFunctionRole: [
    writes('DoorbellFunctionLog'),
    ...tableOf(`${OBJECTS} dead`),
    'events:PutEvents on Bus.Arn',
    'sqs:SendMessage on QueuesRequests.Arn',
    'dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator on StoreTable.StreamArn',
    'dynamodb:ListStreams on *',
    'sqs:SendMessage on QueuesDead.Arn',
  ],
  ReconcilersFunctionRole: [
    writes('ReconcilersFunctionLog'),
    ...tableOf(`${OBJECTS} identity`),
    'sqs:SendMessage on QueuesRequests.Arn QueuesLater.Arn QueuesDead.Arn',
    'sqs:ReceiveMessage sqs:DeleteMessage sqs:GetQueueAttributes sqs:ChangeMessageVisibility on QueuesRequests.Arn QueuesLater.Arn',
    'scheduler:CreateSchedule on schedule/Davit-Schedules-AB5614D4/*',
    'iam:PassRole on ReconcilersScheduleRole.Arn if iam:PassedToService',
  ],
  SchedulerScheduleRole: ['sqs:SendMessage on SchedulerRequests.Arn'],
  SchedulerFunctionRole: [
    writes('SchedulerFunctionLog'),
    ...tableOf(`${OBJECTS} identity`),
    'sqs:ReceiveMessage sqs:DeleteMessage sqs:GetQueueAttributes sqs:ChangeMessageVisibility sqs:SendMessage on SchedulerRequests.Arn',
    'scheduler:CreateSchedule on schedule/Davit-Schedules-AB5614D4/*',
    'iam:PassRole on SchedulerScheduleRole.Arn if iam:PassedToService',
  ],
};

/** The fixture's reconciler `sites`, webhook `titles` and aggregated API `quotes`. */
const USERS = { functions: join(import.meta.dirname, '../../test/support/fixtures/functions') };

describe("the roles of a stack with users' functions", () => {
  const all = rights(USERS);

  test('a reconciler reads its queue and sends delayed messages, but reads no table', () => {
    expect(all['ReconcilersitesFunctionRole']).toEqual([
      writes('ReconcilersitesFunctionLog'),
      'sqs:SendMessage on ReconcilersitesRequests.Arn QueuesLater.Arn QueuesDead.Arn',
      'sqs:ReceiveMessage sqs:DeleteMessage sqs:GetQueueAttributes sqs:ChangeMessageVisibility on ReconcilersitesRequests.Arn',
      ...SHARED.ReconcilersFunctionRole.slice(-2),
    ]);
  });

  test('a webhook and an aggregated API have no permissions', () => {
    expect(all['WebhooktitlesFunctionRole']).toEqual([writes('WebhooktitlesFunctionLog')]);
    expect(all['AggregatedApiquotesFunctionRole']).toEqual([writes('AggregatedApiquotesFunctionLog')]);
  });

  test('functions of the platform may send to that queue, and invoke that webhook and that API', () => {
    const without = rights({});
    const more = (role: string): readonly string[] => (all[role] ?? []).filter((one) => !without[role]?.includes(one));
    const sends = 'sqs:SendMessage on ReconcilersitesRequests.Arn';
    const asks = 'lambda:InvokeFunction on WebhooktitlesFunction.Arn';
    const invokes = 'lambda:InvokeFunction on AggregatedApiquotesFunction.Arn WebhooktitlesFunction.Arn';
    expect(more('DoorbellFunctionRole')).toEqual([sends]);
    expect(more('ReconcilersFunctionRole')).toEqual([invokes, sends]);
    expect(more('SchedulerFunctionRole')).toEqual([asks]);
    expect(more('ApiFunctionRole')).toEqual([invokes]);
  });
});

describe('the permissions of all roles', () => {
  test.each(FRONT_DOORS)('are exactly those of this list behind %s', (frontDoor) => {
    const { [frontDoor === 'container' ? 'ApiTaskRole' : 'ApiFunctionRole']: apiserver, ...others } = rights({
      frontDoor,
    });
    expect(apiserver).toEqual([
      writes(frontDoor === 'container' ? 'ApiTaskLog' : 'ApiFunctionLog'),
      ...tableOf(`${OBJECTS} identity watch-slots/* rates/*`),
    ]);
    expect(others).toMatchObject(SHARED);
  });

  test('and no other role is there, but for those that ring by the clock', () => {
    const { ApiFunctionRole: _, ...others } = rights({});
    const ringing = Object.keys(others).filter((id) => !(id in SHARED));
    expect(ringing.map((id) => others[id])).toEqual([
      ['lambda:InvokeFunction on DoorbellFunction.Arn DoorbellFunction.Arn:*'],
      ['lambda:InvokeFunction on ReconcilersFunction.Arn ReconcilersFunction.Arn:*'],
      ['lambda:InvokeFunction on SchedulerFunction.Arn SchedulerFunction.Arn:*'],
    ]);
  });
});

test('the relay, the doorbell and the functions that call pods may read connections and post to them if there are nodes', () => {
  const all = rights({ nodes: true });
  const posts = 'execute-api:ManageConnections on POST of ChannelApi/davit';
  expect(all['ChannelFunctionRole']).toEqual([
    writes('ChannelFunctionLog'),
    'dynamodb:GetItem dynamodb:UpdateItem on StoreTable.Arn if channel/*',
    ...tableOf('channel/*').slice(1, 2),
    'execute-api:ManageConnections on POST DELETE of ChannelApi/davit', // closes connections that flood it
  ]);
  expect(all['ApiFunctionRole']).toEqual([
    writes('ApiFunctionLog'),
    ...tableOf(`${OBJECTS} identity watch-slots/* rates/* channel/*`),
    posts,
  ]);
  expect(all['DoorbellFunctionRole']).toEqual([
    ...SHARED.DoorbellFunctionRole,
    'dynamodb:Query dynamodb:UpdateItem on StoreTable.Arn if channel/*',
    posts,
    'lambda:InvokeFunction on ChannelFunction.Arn', // notifies more than 50 nodes
  ]);
  for (const role of ['SchedulerFunctionRole', 'ReconcilersFunctionRole'] as const)
    expect(all[role]).toEqual([
      ...SHARED[role],
      'dynamodb:GetItem dynamodb:UpdateItem on StoreTable.Arn if channel/*',
      posts,
    ]);
  const without = rights({});
  expect(Object.keys(all).filter((role) => all[role]?.join() !== without[role]?.join())).toEqual([
    'ChannelFunctionRole',
    'ApiFunctionRole',
    'DoorbellFunctionRole',
    'ReconcilersFunctionRole',
    'SchedulerFunctionRole',
  ]);
});

test('the function of metricsApi reads objects and calls nodes, and functions that serve the API invoke it', () => {
  const all = rights({ nodes: true, metricsApi: true });
  const without = rights({ nodes: true });
  expect(all['MetricsServerFunctionRole']).toEqual([
    writes('MetricsServerFunctionLog'),
    `dynamodb:GetItem dynamodb:Query on StoreTable.Arn if ${OBJECTS} identity`,
    ...tableOf('').slice(1, 2),
    'kms:Decrypt on StoreKey.Arn if kms:EncryptionContext:davit.dev/cluster',
    'dynamodb:GetItem dynamodb:UpdateItem on StoreTable.Arn if channel/*',
    'execute-api:ManageConnections on POST of ChannelApi/davit',
  ]);
  const changed = Object.keys(all).filter((role) => all[role]?.join() !== without[role]?.join());
  expect(changed.toSorted()).toEqual(['ApiFunctionRole', 'MetricsServerFunctionRole', 'ReconcilersFunctionRole']);
  for (const role of ['ApiFunctionRole', 'ReconcilersFunctionRole'])
    expect(all[role]).toEqual([...(without[role] ?? []), 'lambda:InvokeFunction on function:davit-metrics-server']);
});

test('the function of metricsApi behind a container may only call the API server', () => {
  const all = rights({ frontDoor: 'container', metricsApi: true });
  expect(all['MetricsServerFunctionRole']).toEqual([writes('MetricsServerFunctionLog')]);
  const without = rights({ frontDoor: 'container' });
  for (const role of ['ApiTaskRole', 'ReconcilersFunctionRole'])
    expect(all[role]).toEqual([...(without[role] ?? []), 'lambda:InvokeFunction on function:davit-metrics-server']);
});

describe('a service may act only on behalf of the stack', () => {
  const template = templateOf(USERS);
  interface Assumed {
    readonly AssumeRolePolicyDocument: { readonly Statement: readonly Trust[] };
  }
  interface Trust {
    readonly Principal: { readonly Service?: string };
    readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  }
  const keysOf = ({ Condition = {} }: Trust): string[] => Object.values(Condition).flatMap(Object.keys).sort();

  test('schedules assume a role only from the group of the stack', () => {
    const [group] = Object.keys(template.findResources('AWS::Scheduler::ScheduleGroup'));
    const trusts = Object.values(template.findResources('AWS::IAM::Role')).flatMap(({ Properties }) =>
      (Properties as Assumed).AssumeRolePolicyDocument.Statement.filter(
        ({ Principal }) => Principal.Service === 'scheduler.amazonaws.com',
      ),
    );
    const from = { 'aws:SourceAccount': { Ref: 'AWS::AccountId' }, 'aws:SourceArn': { 'Fn::GetAtt': [group, 'Arn'] } };
    expect(trusts.length).toBeGreaterThan(4);
    expect(trusts.map(({ Condition }) => Condition)).toEqual(trusts.map(() => ({ StringEquals: from })));
  });

  test('rules send to a queue only under their own names, and queues require TLS', () => {
    const policies = Object.values(template.findResources('AWS::SQS::QueuePolicy'));
    expect(policies).toHaveLength(Object.keys(template.findResources('AWS::SQS::Queue')).length);
    for (const { Properties } of policies) {
      const [deny, ...allowed] = (Properties as Policy).PolicyDocument.Statement;
      expect(deny).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
      for (const statement of allowed) expect(keysOf(statement as unknown as Trust)).toEqual(['aws:SourceArn']);
    }
  });
});
