import { HOURS, type Line, SECONDS } from './prices.ts';
import type { Resource, Resources } from './template.ts';

/** Assumptions about an idle control plane. */
export const ASSUMED = {
  /** Bootstrap roles, flow schemas and similar objects: less than a megabyte. */
  tableGigabytes: 0.001,
  /** The reads of one scheduled run: names of sequences, and the head and two cursors of each. */
  readsOfRing: 250,
  secondsOfRing: 3,
  keyRequestsOfRing: 4,
  /** The platform's pollers of an idle queue, and the polls of each per month. A long poll takes 20 s. */
  pollers: 5,
  pollsOfPoller: SECONDS / 20,
  /** DynamoDB requests the table's key at most every 5 minutes for the stream's consumer. */
  keyRequestsOfStream: HOURS * 12,
  gigabytesOfLogLine: 1e-6,
  bundleGigabytes: 0.01,
} as const;

type Rule = (found: { id: string; properties: Readonly<Record<string, unknown>>; all: Resources }) => readonly Line[];

const free: Rule = () => [];

/** A rule for every type that the template may contain. A missing rule causes an error, so no cost is overlooked. */
const RULES: Readonly<Record<string, Rule>> = {
  'AWS::KMS::Key': () => [
    { what: 'the key (a rotation adds as much; it is due every 2,560 days)', quantity: 1, price: 'key' },
  ],
  'AWS::DynamoDB::Table': () => [
    { what: 'the table: storage', quantity: ASSUMED.tableGigabytes, price: 'tableGigabyte' },
    { what: 'the table: point-in-time recovery', quantity: ASSUMED.tableGigabytes, price: 'tableBackupGigabyte' },
  ],
  'AWS::Scheduler::Schedule': ({ id, properties, all }) => ringLines(id, properties, all),
  'AWS::Lambda::EventSourceMapping': ({ properties, all }) => pollingLines(properties, all),
  'AWS::CloudWatch::Alarm': ({ id, properties }) => alarmLines(id, properties),
  'AWS::CloudWatch::Dashboard': () => [{ what: 'the dashboard', quantity: 1, price: 'dashboard' }],
  'AWS::SecretsManager::Secret': () => [{ what: 'the secret of the origin', quantity: 1, price: 'secret' }],
  'AWS::S3::Bucket': () => [{ what: 'the bucket of code', quantity: ASSUMED.bundleGigabytes, price: 'bucketGigabyte' }],
  'AWS::ElasticLoadBalancingV2::LoadBalancer': () => [{ what: 'the balancer', quantity: HOURS, price: 'balancerHour' }],
  'AWS::ECS::TaskDefinition': ({ properties }) => taskLines(properties),
  ...Object.fromEntries(
    [
      'AWS::ApiGateway::BasePathMapping',
      'AWS::ApiGateway::Deployment',
      'AWS::ApiGateway::DomainName',
      'AWS::ApiGateway::Method',
      'AWS::ApiGateway::Resource',
      'AWS::ApiGateway::RestApi',
      'AWS::ApiGateway::Stage',
      'AWS::Budgets::Budget',
      'AWS::CloudFront::Distribution',
      'AWS::CloudFront::Function',
      'AWS::CloudFront::OriginRequestPolicy',
      'AWS::CloudFront::TrustStore',
      'AWS::CloudFront::VpcOrigin',
      'AWS::EC2::InternetGateway',
      'AWS::EC2::Route',
      'AWS::EC2::RouteTable',
      'AWS::EC2::SecurityGroup',
      'AWS::EC2::SecurityGroupEgress',
      'AWS::EC2::SecurityGroupIngress',
      'AWS::EC2::Subnet',
      'AWS::EC2::SubnetRouteTableAssociation',
      'AWS::EC2::VPC',
      'AWS::EC2::VPCEndpoint',
      'AWS::EC2::VPCGatewayAttachment',
      'AWS::ECS::Cluster',
      'AWS::ECS::Service',
      'AWS::ElasticLoadBalancingV2::Listener',
      'AWS::ElasticLoadBalancingV2::TargetGroup',
      'AWS::Events::EventBus',
      'AWS::Events::Rule',
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
      'AWS::Lambda::Function',
      'AWS::Lambda::Permission',
      'AWS::Lambda::Url',
      'AWS::Lambda::WebFunction',
      'AWS::Lambda::WebFunctionEndpoint',
      'AWS::Lambda::WebFunctionRevision',
      'AWS::Logs::LogGroup',
      'AWS::Logs::MetricFilter',
      'AWS::S3::BucketPolicy',
      'AWS::SQS::Queue',
      'AWS::SQS::QueuePolicy',
      'AWS::Scheduler::ScheduleGroup',
      'AWS::WAFv2::WebACLAssociation',
      'Custom::DavitFunctions',
      'Custom::DavitReconciler',
      'Custom::S3AutoDeleteObjects',
      'Custom::S3ObjectCopy',
    ].map((type) => [type, free]),
  ),
};

/**
 * The costs of a month without requests, for the resources of a template. Throws TypeError for a type without a rule.
 */
export function idleLines(resources: Resources): readonly Line[] {
  const lines = Object.entries(resources).flatMap(([id, { Type, Properties = {} }]) => {
    const rule = RULES[Type];
    if (rule === undefined) throw new TypeError(`there is no rule for what an idle ${Type} costs`);
    return rule({ id, properties: Properties, all: resources });
  });
  const bundles = {
    what: 'bundles in the bucket of bootstrap',
    quantity: ASSUMED.bundleGigabytes,
    price: 'bucketGigabyte',
  } as const;
  return [...lines, bundles];
}

/** The number of runs per month. Only `rate` expressions are supported. */
function ringsOf(expression: unknown): number {
  const [, count = '', unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(String(expression)) ?? [];
  const minutes = { minute: 1, hour: 60, day: 1440 }[unit];
  if (minutes === undefined) throw new TypeError(`how often is ${String(expression)}?`);
  return (HOURS * 60) / (Number(count) * minutes);
}

function ringLines(id: string, properties: Readonly<Record<string, unknown>>, all: Resources): readonly Line[] {
  const rings = ringsOf(properties['ScheduleExpression']);
  const { memory } = functionOf(properties, all);
  const what = `schedule ${id} (${String(properties['ScheduleExpression'])})`;
  const gigabytes = rings * ASSUMED.gigabytesOfLogLine * 4;
  return [
    { what, quantity: rings, price: 'schedule' },
    { what: `${what}: invocations`, quantity: rings, price: 'lambdaRequest' },
    { what: `${what}: time`, quantity: (rings * ASSUMED.secondsOfRing * memory) / 1024, price: 'lambdaGigabyteSecond' },
    { what: `${what}: reads`, quantity: rings * ASSUMED.readsOfRing, price: 'tableRead' },
    { what: `${what}: key`, quantity: rings * ASSUMED.keyRequestsOfRing, price: 'keyRequest' },
    { what: `${what}: log`, quantity: gigabytes, price: 'logGigabyte' },
    { what: `${what}: log, kept`, quantity: gigabytes, price: 'logKeptGigabyte' },
  ];
}

function functionOf(properties: Readonly<Record<string, unknown>>, all: Resources): { memory: number } {
  const found = referred(properties['Target'], all);
  return { memory: Number(found?.Properties?.['MemorySize'] ?? 128) };
}

function pollingLines(properties: Readonly<Record<string, unknown>>, all: Resources): readonly Line[] {
  const source = referred(properties['EventSourceArn'], all);
  if (source?.Type === 'AWS::DynamoDB::Table') {
    return [{ what: 'following the stream: key', quantity: ASSUMED.keyRequestsOfStream, price: 'keyRequest' }];
  }
  if (source?.Type !== 'AWS::SQS::Queue') throw new TypeError('what does following this source cost?');
  const fifo = source.Properties?.['FifoQueue'] === true;
  const quantity = ASSUMED.pollers * ASSUMED.pollsOfPoller;
  return [
    { what: `polling the ${fifo ? 'FIFO' : 'standard'} queue`, quantity, price: fifo ? 'fifoRequest' : 'queueRequest' },
  ];
}

/** The first resource that a value references with `Fn::GetAtt` or `Ref`. */
function referred(value: unknown, all: Resources): Resource | undefined {
  const ids = [...JSON.stringify(value).matchAll(/"(?:Fn::GetAtt":\["|Ref":")(\w+)"/g)].map((match) => match[1] ?? '');
  return ids.map((id) => all[id]).find((resource) => resource !== undefined);
}

interface AlarmMetric {
  readonly MetricStat?: { readonly Metric: { readonly Namespace: string } };
}

/** Alarms. Custom metrics cost money only in hours with values, and values are written only if something is wrong. */
function alarmLines(id: string, properties: Readonly<Record<string, unknown>>): readonly Line[] {
  const metrics = (properties['Metrics'] ?? []) as readonly AlarmMetric[];
  const stats = metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Metric.Namespace]));
  const namespaces = stats.length > 0 ? stats : [String(properties['Namespace'])];
  return [{ what: `alarm ${id}`, quantity: namespaces.length, price: 'alarmMetric' }];
}

/** The number of health checks of an idle container, each of which reads the head of one log. */
const HEALTH_CHECKS = SECONDS / 10;

function taskLines(properties: Readonly<Record<string, unknown>>): readonly Line[] {
  return [
    { what: 'the container: processor', quantity: (HOURS * Number(properties['Cpu'])) / 1024, price: 'processorHour' },
    { what: 'the container: memory', quantity: (HOURS * Number(properties['Memory'])) / 1024, price: 'memoryHour' },
    { what: "the container's address", quantity: HOURS, price: 'addressHour' },
    { what: "the container's health checks: reads", quantity: HEALTH_CHECKS, price: 'tableRead' },
  ];
}
