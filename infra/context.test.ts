import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEPLOYED_FLAGS } from '#lib/server/options/deployed-flags.ts';
import { CONTEXT_NAMES, parseContext } from './context.ts';

const admin = 'arn:aws:iam::123456789012:role/Admin';
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b-2c';

test('sets all defaults', () => {
  expect(parseContext({ admin })).toEqual({
    admin,
    frontDoor: 'function-url',
    clusterId: 'davit',
    stage: 'production',
    reservedConcurrency: 100,
    requestsPerSecond: 50,
    maxReadUnits: 12_000,
    maxWriteUnits: 4_000,
    memory: 512,
    runtime: 'nodejs',
    alarms: true,
    dashboard: false,
    logLevel: 'info',
    logRetention: 30,
    tracing: 'none',
    scheduler: true,
    bundle: true,
    allocateNodeCidrs: false,
    nodes: false,
    channelConcurrency: 50,
    metricsApi: false,
    metricResolution: '60s',
    nodeMonitorGracePeriod: '300s',
  });
});

test('docs/deploy.md has every option exactly once, with its default', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/deploy.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$/gm)]
    .map(([, name = '', value = '']) => [name, value])
    .filter(([name]) => name !== 'rest');
  const documented = Object.fromEntries(rows);
  const defaults: Record<string, unknown> = { ...parseContext({ admin }), admin: undefined };
  const flags = Object.values(DEPLOYED_FLAGS).flatMap((subject) => Object.keys(subject)); // the table of flags lists the others
  const own = CONTEXT_NAMES.filter((name) => name !== 'replicaRegions' && !flags.includes(name));
  const expected = own.map((name) => [name, defaults[name]]);
  for (const [name, value] of expected) {
    const told = value === undefined ? /^(?:none|required|a new one)$/ : new RegExp(`^\`?${String(value)}\`?$`);
    expect([name, documented[String(name)]]).toEqual([name, expect.stringMatching(told)]);
  }
  expect(rows.map(([name]) => name).toSorted()).toEqual(expected.map(([name]) => name).toSorted());
});

test('reads text on the command line with the meaning of cdk.json', () => {
  const context = parseContext({ admin, reservedConcurrency: '20', dashboard: 'true', alarms: 'false' });
  expect(context).toMatchObject({ reservedConcurrency: 20, dashboard: true, alarms: false });
});

test("ignores CDK's own context", () => {
  const own = { 'aws:cdk:bundling-stacks': ['**'], '@aws-cdk/core:x': true, 'cli-telemetry': false };
  expect(parseContext({ admin, ...own })).toEqual(parseContext({ admin }));
});

test.each([
  ['a domain', { domain: 'api.example.com', certificate }],
  [
    'a domain of REST in its own region',
    { frontDoor: 'rest', domain: 'a.example.com', certificate: certificate.replace('us-east-1', 'eu-west-1') },
  ],
  ['a user with a path', { admin: 'arn:aws:iam::123456789012:user/ops/ada' }],
  ['a partition', { admin: 'arn:aws-us-gov:iam::123456789012:role/Admin' }],
  ['networks of nodes', { frontDoor: 'container', nodeCidrs: '10.0.0.0/16,192.168.7.0/24' }],
  ['more memory', { memory: 1769 }],
  ['nodes', { nodes: true, channelConcurrency: 200 }],
  ['metrics of nodes and pods', { nodes: true, metricsApi: true, metricResolution: '15s' }],
  ['metrics behind a container', { frontDoor: 'container', metricsApi: true }],
  ['what is published besides', { publish: 'events,leases' }],
])('accepts %s', (_, given) => {
  expect(parseContext({ admin, ...given })).toMatchObject(given);
});

describe('an invalid value is reported in one line', () => {
  test.each<[Record<string, unknown>, string]>([
    [
      { admin: undefined },
      'context admin is required: -c admin=…, which is the ARN of an IAM user or role, as arn:aws:iam::123456789012:role/Admin',
    ],
    [
      { admin: 'ada' },
      'context admin is the ARN of an IAM user or role, as arn:aws:iam::123456789012:role/Admin; it was "ada"',
    ],
    [
      { admin: 'arn:aws:sts::123456789012:assumed-role/Admin/ada' },
      'context admin is the ARN of an IAM user or role, as arn:aws:iam::123456789012:role/Admin; it was "arn:aws:sts::123456789012:assumed-role/Admin/ada"',
    ],
    [{ frontDoor: 'url' }, 'context frontDoor is one of function-url, web-function, rest, container; it was "url"'],
    [{ frontdoor: 'rest' }, 'context frontdoor is not known; the nearest is frontDoor'],
    [{ clusterId: 'a b' }, 'context clusterId is letters, digits, - and _, at most 100; it was "a b"'],
    [{ stage: 'prod' }, 'context stage is production or development; it was "prod"'],
    [{ reservedConcurrency: '9' }, 'context reservedConcurrency is a whole number from 10 to 10000; it was "9"'],
    [{ reservedConcurrency: 'many' }, 'context reservedConcurrency is a whole number from 10 to 10000; it was "many"'],
    [{ maxReadUnits: 99 }, 'context maxReadUnits is a whole number from 100 to 1000000; it was 99'],
    [{ reservedConcurrency: '10.5' }, 'context reservedConcurrency is a whole number from 10 to 10000; it was "10.5"'],
    [{ requestsPerSecond: '-1' }, 'context requestsPerSecond is a whole number from 0 to 10000; it was "-1"'],
    [{ watchMemory: '128' }, 'context watchMemory is a whole number of megabytes from 192 to 10240; it was "128"'],
    [{ watchMemory: '256' }, 'context watchMemory needs domain, and frontDoor=function-url'],
    [{ memory: '128' }, 'context memory is a whole number of megabytes from 256 to 10240; it was "128"'],
    [{ memory: '1G' }, 'context memory is a whole number of megabytes from 256 to 10240; it was "1G"'],
    [{ memory: 1024, frontDoor: 'container' }, 'context memory has no effect with frontDoor=container'],
    [{ memory: 1024, frontDoor: 'web-function' }, 'context memory has no effect with frontDoor=web-function'],
    [{ runtime: 'deno' }, 'context runtime is nodejs or provided; it was "deno"'],
    [{ runtime: 'provided' }, 'context runtime=provided needs bootstrap=FILE'],
    [{ bootstrap: 'x' }, 'context bootstrap requires runtime=provided'],
    [
      { runtime: 'provided', bootstrap: 'x', frontDoor: 'container' },
      'context runtime=provided has no effect with frontDoor=container',
    ],
    [
      { domain: 'API.example.com', certificate },
      'context domain is a host name in small letters, as api.example.com; it was "API.example.com"',
    ],
    [{ domain: 'api.example.com' }, 'context domain needs certificate=arn:aws:acm:…'],
    [{ certificate }, 'context certificate requires domain'],
    [
      { domain: 'a.example.com', certificate: 'x' },
      'context certificate is the ARN of a certificate in ACM; it was "x"',
    ],
    [
      { domain: 'a.example.com', certificate: certificate.replace('us-east-1', 'eu-west-1') },
      'context certificate is one of us-east-1: CloudFront takes no other',
    ],
    [{ clientAuthority: 'ca.pem' }, 'context clientAuthority needs domain'],
    [{ vpc: 'mine', frontDoor: 'container' }, 'context vpc is the id of a VPC, as vpc-0123abcd; it was "mine"'],
    [{ vpc: 'vpc-1' }, 'context vpc requires frontDoor=container'],
    [
      { vpcEndpoint: 'mine', frontDoor: 'rest' },
      'context vpcEndpoint is the id of a VPC endpoint, as vpce-0123abcd; it was "mine"',
    ],
    [{ vpcEndpoint: 'vpce-1' }, 'context vpcEndpoint requires frontDoor=rest'],
    [
      { vpcEndpoint: 'vpce-1', frontDoor: 'rest', domain: 'a.example.com', certificate },
      'context vpcEndpoint has no effect with domain',
    ],
    ...['10.0.0.1/16', '10.0.0.0', '10.0.0.0/33', 'fd00::/8', '10.0.0.0/16,', ''].map(
      (nodeCidrs): [Record<string, unknown>, string] => [
        { frontDoor: 'container', nodeCidrs },
        `context nodeCidrs is IPv4 networks with a comma between, as 10.0.0.0/16,192.168.0.0/24; it was "${nodeCidrs}"`,
      ],
    ),
    [{ nodes: 'yes' }, 'context nodes is true or false; it was "yes"'],
    [
      { nodes: 'true', channelConcurrency: 0 },
      'context channelConcurrency is a whole number from 1 to 10000; it was 0',
    ],
    [{ channelConcurrency: 60 }, 'context channelConcurrency has no effect without nodes=true'],
    [
      { nodes: 'true', frontDoor: 'rest', vpcEndpoint: 'vpce-1' },
      'context nodes makes a public WebSocket API, which a private front door (vpcEndpoint) excludes',
    ],
    [
      { nodes: 'true', frontDoor: 'container' },
      'context nodes has no effect with frontDoor=container: nodes connect to the container itself',
    ],
    [{ metricsApi: 'true' }, 'context metricsApi needs nodes=true, by which nodes are reached'],
    [{ metricResolution: '15s' }, 'context metricResolution has no effect without metricsApi=true'],
    ...['9s', '15', 'often'].map((metricResolution): [Record<string, unknown>, string] => [
      { nodes: 'true', metricsApi: 'true', metricResolution },
      `context metricResolution is a duration of at least 10s; it was "${metricResolution}"`,
    ]),
    [{ nodeCidrs: '10.0.0.0/16' }, 'context nodeCidrs requires frontDoor=container'],
    [{ frontDoor: 'container', kubeletAuthority: 'ca.pem' }, 'context kubeletAuthority needs nodeCidrs'],
    [{ frontDoor: 'container', kubeletAddressTypes: 'InternalIP' }, 'context kubeletAddressTypes needs nodeCidrs'],
    [
      { frontDoor: 'container', nodeCidrs: '10.0.0.0/16', kubeletAddressTypes: 'a b' },
      'context kubeletAddressTypes is types of addresses with a comma between, as InternalIP,Hostname; it was "a b"',
    ],
    [{ frontDoor: 'container', kubeletTimeout: '1s' }, 'context kubeletTimeout needs nodeCidrs'],
    ...['0s', '5', 'soon'].map((kubeletTimeout): [Record<string, unknown>, string] => [
      { frontDoor: 'container', nodeCidrs: '10.0.0.0/16', kubeletTimeout },
      `context kubeletTimeout is a duration above zero, as 5s; it was "${kubeletTimeout}"`,
    ]),
    [{ nodeMonitorGracePeriod: '0s' }, 'context nodeMonitorGracePeriod is a duration above zero, as 5s; it was "0s"'],
    ...[31, 0, 'month'].map((logRetention): [Record<string, unknown>, string] => [
      { logRetention },
      `context logRetention is a number of days that CloudWatch takes, such as 30, 90 or 365; it was ${JSON.stringify(logRetention)}`,
    ]),
    [{ publish: 'pods' }, 'context publish is leases, events or both with a comma; it was "pods"'],
    [{ alarms: 'no' }, 'context alarms is true, false or full; it was "no"'],
    [{ alarmTopic: 'mine' }, 'context alarmTopic is the ARN of an SNS topic; it was "mine"'],
    [
      { alarms: false, alarmTopic: 'arn:aws:sns:eu-west-1:123456789012:ops' },
      'context alarmTopic has no effect with alarms=false',
    ],
    [{ monthlyBudget: 'much' }, 'context monthlyBudget is dollars a month, from 1 to 1000000; it was "much"'],
    [{ monthlyBudget: 20 }, 'context monthlyBudget needs budgetEmail or alarmTopic'],
    [{ budgetEmail: 'ops@example.com' }, 'context budgetEmail requires monthlyBudget'],
    [{ monthlyBudget: 20, budgetEmail: 'ops' }, 'context budgetEmail is an e-mail address; it was "ops"'],
    [{ webAcl: 'mine' }, 'context webAcl is the ARN of a web ACL of AWS WAF; it was "mine"'],
    [
      { webAcl: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/davit/0a1b-2c' },
      'context webAcl needs domain: nothing in front of a function-url takes one',
    ],
    [
      {
        domain: 'a.example.com',
        certificate,
        webAcl: 'arn:aws:wafv2:us-east-1:123456789012:regional/webacl/davit/0a1b-2c',
      },
      'context webAcl is global, of us-east-1: CloudFront takes no other',
    ],
    [
      { frontDoor: 'rest', webAcl: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/davit/0a1b-2c' },
      'context webAcl is regional with frontDoor=rest',
    ],
    [{ logLevel: 'debug' }, 'context logLevel is one of info, warning, error; it was "debug"'],
    [{ logKey: 'mine' }, 'context logKey is the ARN of a KMS key; it was "mine"'],
    [{ tracing: 'otlp' }, 'context tracing is none or xray; it was "otlp"'],
    [{ dashboard: 'yes' }, 'context dashboard is true or false; it was "yes"'],
    [
      { replicaRegions: 'eu-west-1' },
      'context replicaRegions is refused: one region writes a table. A global table would let two regions commit one position; it was "eu-west-1"',
    ],
  ])('rejects the context %j', (given, message) => {
    const context = { admin, ...given };
    expect(() => parseContext(context)).toThrow(expect.objectContaining({ name: 'ContextError', message }));
  });
});
