import { join } from 'node:path';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { FRONT_DOORS } from './context.ts';
import { aStack } from './synthesized.ts';
import { CLIENT_AUTHORITY } from './testing.ts';

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b';
const DOMAIN = { domain: 'api.example.com', certificate, clientAuthority: CLIENT_AUTHORITY };

const WHOM = 'the API server itself authenticates and authorizes every request, as Kubernetes has it';
const COPY = 'the custom resource of CDK that copies the code of web functions; its rights are not ours to write';
const AUDIT =
  'who did what is in the audit log, which has the names of Kubernetes; a second log would cost by the request';
const WAF = 'a firewall costs more than the rest; the context webAcl attaches one';

/** The accepted findings: rule, location and reason. */
const ACCEPTED: readonly (readonly [rule: string, where: RegExp, why: string])[] = [
  ['IAM5[Resource::*]', /Doorbell\/Function/, 'dynamodb:ListStreams knows no resource'],
  ['IAM5[Resource::<', /SchedulerRole/, 'every version of one function, as CDK grants it'],
  [
    'IAM5[Resource::arn:<AWS::Partition>:scheduler',
    /(Reconciler[-\w]+|Scheduler)\/FunctionRole/,
    'schedules that fire once are named by what they send; the role that they may use is one, and sends to one queue',
  ],
  [
    'IAM5[Resource::arn:<AWS::Partition>:execute-api',
    /(Api|Channel|Doorbell|MetricsServer|Reconcilers|Scheduler)\/FunctionRole/,
    'connections are named when they are made; all of one stage of one API',
  ],
  ['APIG1', /Channel\/Stage/, AUDIT],
  ['APIG4', /Channel\/Api/, 'a connection has to show a ticket that the API server signed'],
  ['IAM5[Resource::*]', /Task\/ExecutionRole/, 'ecr:GetAuthorizationToken knows no resource'],
  [
    'SMG4',
    /OriginSecret/,
    'CloudFront and the function are given it at the same deployment: a rotation between would part them',
  ],
  ['APIG1', /DeploymentStage/, AUDIT],
  ['APIG2', /Api\/Api/, 'the API server validates requests, with the messages that clients expect'],
  ['APIG3', /DeploymentStage/, WAF],
  ['APIG4', /Api\/Api/, WHOM],
  ['APIG6', /DeploymentStage/, AUDIT],
  ['COG4', /Api\/Api/, WHOM],
  ['CFR1', /Edge/, 'who may reach it is known by who he is, not where'],
  ['CFR2', /Edge/, WAF],
  ['CFR3', /Edge/, AUDIT],
  ['CFR4', /Edge/, 'without a domain the certificate is that of CloudFront, whose least version cannot be chosen'],
  ['VPC7', /Vpc/, 'one container and one balancer are all that is in it; flow logs would cost more than both log'],
  ['EC23', /BalancerGroup/, 'not decidable here: the range is that of the VPC itself'],
  ['ELB2', /Balancer/, AUDIT],
  [
    'ECS2',
    /Task/,
    'names of resources are no secrets, and the secret is shared with CloudFront, which takes it as text',
  ],
  ['ECS4', /Cluster/, 'one container; the alarms watch what matters of it'],
  ['S1', /WebFunctionAssetBucket/, 'it holds one bundle that anyone may read in this repository'],
  ['IAM4[', /S3ObjectCopy/, COPY],
  ['IAM5[', /S3ObjectCopy/, COPY],
];

/** All findings in a stack, as `rule at path`. */
function findings(context: Readonly<Record<string, unknown>>): readonly string[] {
  const stack = aStack(context);
  const { violations } = new AwsSolutionsChecks(stack).validateScope(stack);
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath = '' }) => `${ruleName.replace('AwsSolutions-', '')} at ${constructPath}`),
  );
}

const isOf = ([rule, where]: readonly [string, RegExp, string], finding: string): boolean =>
  finding.startsWith(rule) && where.test(finding);

describe('the AWS Solutions rules', () => {
  const contexts = [
    ...FRONT_DOORS.flatMap((frontDoor) => [{ frontDoor }, { frontDoor, ...DOMAIN }]),
    { frontDoor: 'rest', vpcEndpoint: 'vpce-1' },
    { frontDoor: 'container', nodeCidrs: '10.0.0.0/16' },
    { nodes: true },
    { nodes: true, metricsApi: true },
    { frontDoor: 'container', metricsApi: true },
    { functions: join(import.meta.dirname, '../test/support/fixtures/functions') },
  ];
  const found = contexts.map((context) => ({ context, findings: findings(context) }));

  test.each(found)('are violated only with an accepted reason by $context', ({ findings: all }) => {
    expect(all.filter((finding) => !ACCEPTED.some((each) => isOf(each, finding)))).toEqual([]);
  });

  const acl = (scope: string) => `arn:aws:wafv2:us-east-1:123456789012:${scope}/webacl/davit/0a1b`;
  test.each([
    { ...DOMAIN, webAcl: acl('global') },
    { frontDoor: 'container', webAcl: acl('global') },
    { frontDoor: 'rest', webAcl: acl('regional') },
  ])('accept the firewall $webAcl for $frontDoor', (context) => {
    const firewall = findings(context).filter((finding) => /^(?:CFR2|APIG3)/.test(finding));
    expect(firewall).toEqual([]);
  });

  test.each(ACCEPTED)('still report the accepted finding %s at %s', (...accepted) => {
    expect(found.some(({ findings: all }) => all.some((finding) => isOf(accepted, finding)))).toBe(true);
  });
});
