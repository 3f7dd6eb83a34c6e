import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { ORIGIN_HEADER } from '#lib/server/authentication/vouched-certificate.ts';
import { FRONT_DOORS } from '../context.ts';
import { CLIENT_AUTHORITY, templateOf } from '../testing.ts';
import { ORIGIN_SECRET_HEADER } from './edge.ts';

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b';
const DOMAIN = { domain: 'api.example.com', certificate };
const CLIENTS = { ...DOMAIN, clientAuthority: CLIENT_AUTHORITY };

const apiserver = (context: Readonly<Record<string, unknown>>) => {
  const functions = Object.entries(templateOf(context).findResources('AWS::Lambda::Function'));
  return functions.find(([id]) => id.startsWith('ApiFunction'))?.[1]['Properties'];
};

describe('a function URL', () => {
  test('streams, has its share of concurrency, and allows watches three fifths of it', () => {
    templateOf().hasResourceProperties('AWS::Lambda::Url', { AuthType: 'NONE', InvokeMode: 'RESPONSE_STREAM' });
    const { ReservedConcurrentExecutions, Timeout, Environment } = apiserver({});
    expect({ ReservedConcurrentExecutions, Timeout, slots: Environment.Variables.DAVIT_WATCH_SLOTS }).toEqual({
      ReservedConcurrentExecutions: 100,
      Timeout: 360,
      slots: '60',
    });
  });

  test.each([
    ['10', '6'],
    ['55', '33'],
  ])('a limit of %s concurrent requests allows %s watches', (reservedConcurrency, slots) => {
    expect(apiserver({ reservedConcurrency }).Environment.Variables.DAVIT_WATCH_SLOTS).toBe(slots);
  });

  test('accepts 50 requests per second of one identity, or the configured number', () => {
    const limit = (context: Readonly<Record<string, unknown>>) =>
      apiserver(context).Environment.Variables.DAVIT_REQUESTS_PER_SECOND;
    expect(limit({})).toBe('50');
    expect(limit({ frontDoor: 'rest', requestsPerSecond: '200' })).toBe('200');
    expect(limit({ requestsPerSecond: '0' })).toBeUndefined();
  });

  test.each(['function-url', 'rest'])('has the configured memory behind %s', (frontDoor) => {
    expect([apiserver({ frontDoor }).MemorySize, apiserver({ frontDoor, memory: '1769' }).MemorySize]).toEqual([
      512, 1769,
    ]);
  });

  test('streams on a custom runtime as well', () => {
    const context = { runtime: 'provided', bootstrap: import.meta.filename };
    expect(apiserver(context).Runtime).toBe('provided.al2023');
    templateOf(context).hasResourceProperties('AWS::Lambda::Url', { InvokeMode: 'RESPONSE_STREAM' });
  });
});

describe('a REST API', () => {
  const methods = (context: Readonly<Record<string, unknown>>) =>
    Object.values(templateOf({ frontDoor: 'rest', ...context }).findResources('AWS::ApiGateway::Method')).map(
      ({ Properties }) => Properties,
    );

  test('passes every path and method to the function, and streams its responses for 15 minutes', () => {
    const streamed = { ResponseTransferMode: 'STREAM', TimeoutInMillis: 900_000, Type: 'AWS_PROXY' };
    const all = { HttpMethod: 'ANY', AuthorizationType: 'NONE', Integration: streamed };
    expect(methods({})).toEqual([expect.objectContaining({}), expect.objectContaining({})]);
    expect(methods({})).toMatchObject([all, all]);
    const { Timeout, Environment } = apiserver({ frontDoor: 'rest' });
    expect([Timeout, Environment.Variables.DAVIT_WATCH_SLOTS]).toEqual([900, '60']);
  });

  test('limits requests per second to the rate of its function, because forwarded requests are billed', () => {
    const limit = { DataTraceEnabled: false, HttpMethod: '*', ResourcePath: '/*' };
    templateOf({ frontDoor: 'rest', reservedConcurrency: 20 }).hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: [{ ...limit, ThrottlingRateLimit: 200, ThrottlingBurstLimit: 200 }],
    });
  });

  test("streams on a custom runtime as well, because its function's response is a stream", () => {
    const context = { runtime: 'provided', bootstrap: import.meta.filename };
    expect(methods(context)).toMatchObject(
      methods({}).map(() => ({ Integration: { ResponseTransferMode: 'STREAM' } })),
    );
  });

  test('is reached only through its VPC endpoint if it has one', () => {
    const template = templateOf({ frontDoor: 'rest', vpcEndpoint: 'vpce-0a1b' });
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['PRIVATE'], VpcEndpointIds: ['vpce-0a1b'] },
      Policy: {
        Statement: [
          {
            Effect: 'Allow',
            Principal: { AWS: '*' },
            Action: 'execute-api:Invoke',
            Resource: 'execute-api:/*',
            Condition: { StringEquals: { 'aws:SourceVpce': 'vpce-0a1b' } },
          },
        ],
      },
    });
    const { Value } = template.findOutputs('Endpoint')['Endpoint'] ?? {};
    expect(JSON.stringify(Value)).toContain('-vpce-0a1b.execute-api.');
  });

  test('verifies clients with its own trust store, and cannot be bypassed', () => {
    const template = templateOf({ frontDoor: 'rest', ...CLIENTS });
    template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'api.example.com',
      MutualTlsAuthentication: { TruststoreUri: Match.anyValue() },
      SecurityPolicy: 'TLS_1_2',
    });
    template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
    template.resourceCountIs('AWS::CloudFront::Distribution', 0);
  });
});

test('a web function shares an environment between 128 requests, and authenticates callers itself', () => {
  const template = templateOf({ frontDoor: 'web-function' });
  template.hasResourceProperties('AWS::Lambda::WebFunctionRevision', {
    ServiceConfig: Match.objectLike({ MaxConcurrencyPerEnvironment: 128, TimeoutSeconds: 900 }),
  });
  template.hasResourceProperties('AWS::Lambda::WebFunctionEndpoint', { AuthType: 'ApplicationManaged' });
});

describe('a container as front door', () => {
  const template = templateOf({ frontDoor: 'container' });

  test('is behind a private load balancer that CloudFront reaches, without NAT', () => {
    template.resourceCountIs('AWS::EC2::NatGateway', 0);
    template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', { Scheme: 'internal' });
    template.resourceCountIs('AWS::CloudFront::VpcOrigin', 1);
  });

  test('accepts requests only from the load balancer', () => {
    const rules = Object.values(template.findResources('AWS::EC2::SecurityGroupIngress'));
    expect(rules.map(({ Properties }) => Properties.FromPort)).toEqual([8080]);
  });

  const egress = (context: Readonly<Record<string, unknown>>) => {
    const groups = templateOf({ frontDoor: 'container', ...context }).findResources('AWS::EC2::SecurityGroup');
    const [group] = Object.entries(groups).filter(([id]) => id.startsWith('ApiTaskGroup'));
    const rules: readonly Readonly<Record<string, unknown>>[] = group?.[1]['Properties'].SecurityGroupEgress;
    return rules.map(({ CidrIp, IpProtocol, FromPort, ToPort }) => `${CidrIp} ${IpProtocol} ${FromPort}-${ToPort}`);
  };

  test('reaches HTTPS, and nodes only if their networks are configured', () => {
    expect(egress({})).toEqual(['0.0.0.0/0 tcp 443-443']);
    expect(egress({ nodeCidrs: '10.1.0.0/16,192.168.7.0/24' })).toEqual([
      '0.0.0.0/0 tcp 443-443',
      '10.1.0.0/16 tcp 0-65535',
      '192.168.7.0/24 tcp 0-65535',
    ]);
  });
});

describe('CloudFront as the edge', () => {
  test.each([
    ['function-url', {}, 0],
    ['web-function', {}, 0],
    ['rest', DOMAIN, 0],
    ['container', {}, 1],
    ['function-url', DOMAIN, 1],
    ['web-function', DOMAIN, 1],
  ])('front door %s with %j has this many distributions: %i', (frontDoor, given, count) => {
    const template = templateOf({ frontDoor, ...given });
    template.resourceCountIs('AWS::CloudFront::Distribution', count);
    const idle = JSON.stringify(template.toJSON()).includes('DAVIT_IDLE_SECONDS');
    expect(idle, 'the API server knows how long a silent stream lasts').toBe(count === 1);
  });

  test.each(['function-url', 'web-function', 'container'])('verifies clients in front of %s', (frontDoor) => {
    const template = templateOf({ frontDoor, ...CLIENTS });
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Aliases: ['api.example.com'],
        DefaultCacheBehavior: { CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad', Compress: false },
        HttpVersion: 'http2',
        Origins: [{ OriginCustomHeaders: [{ HeaderName: ORIGIN_HEADER, HeaderValue: secretOf() }] }],
        ViewerMtlsConfig: { Mode: 'optional' },
      },
    });
    expect(JSON.stringify(template.toJSON())).toContain('"DAVIT_ORIGIN_SECRET"');
  });

  test('sends no certificate headers, and has no secret, if it verifies no clients', () => {
    const template = templateOf({ frontDoor: 'function-url', ...DOMAIN });
    template.resourceCountIs('AWS::SecretsManager::Secret', 0);
    expect(JSON.stringify(template.toJSON())).not.toMatch(/DAVIT_ORIGIN_SECRET|Viewer-Cert/);
  });

  test('authenticates itself with the header that the API server requires', () => {
    expect(ORIGIN_SECRET_HEADER).toBe(ORIGIN_HEADER);
  });

  describe('a second function for watches', () => {
    const context = { ...DOMAIN, watchMemory: '256' };
    const template = templateOf(context);
    const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
    const of = (prefix: string) => functions.find(([id]) => id.startsWith(prefix))?.[1]['Properties'];

    test('shares the code, the role, the log and the reserved concurrency with the first', () => {
      const [{ MemorySize: all, ...api }, { MemorySize: few, ...watches }] = [of('ApiFunction'), of('ApiWatches')];
      expect([all, api.ReservedConcurrentExecutions]).toEqual([512, 40]);
      expect([few, watches.ReservedConcurrentExecutions]).toEqual([256, 60]);
      for (const name of ['Code', 'Role', 'LoggingConfig', 'Environment', 'Timeout'])
        expect(watches[name], name).toEqual(api[name]);
      template.resourceCountIs('AWS::Lambda::Url', 2);
    });

    test.each([context, { ...CLIENTS, watchMemory: '256' }])('receives watches from the edge with %j', (given) => {
      const edge = templateOf(given);
      const [code] = Object.values(edge.findResources('AWS::CloudFront::Function'));
      const text = JSON.stringify(code?.['Properties'].FunctionCode);
      expect(text).toContain('isWatch');
      expect(text).toMatch(/ApiFunctionFunctionUrl/);
      expect(text).toMatch(/ApiWatchesFunctionUrl/);
    });

    test('has alarms on its faults', () => {
      const alarms = JSON.stringify(template.findResources('AWS::CloudWatch::Alarm'));
      expect(alarms).toContain('requests + watches');
    });

    test('does not exist in a stack without watchMemory', () => {
      const without = templateOf(DOMAIN);
      without.resourceCountIs('AWS::Lambda::Url', 1);
      without.resourceCountIs('AWS::CloudFront::Function', 0);
    });
  });

  const secretOf = () => ({ 'Fn::Join': ['', Match.arrayWith(['{{resolve:secretsmanager:'])] });
});

describe('a web application firewall', () => {
  const arn = (scope: string) => `arn:aws:wafv2:us-east-1:123456789012:${scope}/webacl/davit/0a1b`;

  test.each([{ frontDoor: 'container' }, { frontDoor: 'web-function', ...DOMAIN }, DOMAIN])(
    'protects CloudFront with %j',
    (context) => {
      templateOf({ ...context, webAcl: arn('global') }).hasResourceProperties('AWS::CloudFront::Distribution', {
        DistributionConfig: { WebACLId: arn('global') },
      });
    },
  );

  test('protects a REST API', () => {
    templateOf({ frontDoor: 'rest', webAcl: arn('regional') }).hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
      WebACLArn: arn('regional'),
      ResourceArn: { 'Fn::Join': ['', Match.arrayWith([':apigateway:', '::/restapis/'])] },
    });
  });
});

describe('outputs of the stack', () => {
  test.each(FRONT_DOORS)('name an endpoint for %s', (frontDoor) => {
    const { Endpoint } = templateOf({ frontDoor }).findOutputs('Endpoint');
    expect(JSON.stringify(Endpoint?.['Value'])).toContain('https://');
  });

  test.each(FRONT_DOORS)('name a domain for %s', (frontDoor) => {
    templateOf({ frontDoor, ...DOMAIN }).hasOutput('Endpoint', { Value: 'https://api.example.com' });
  });

  test.each(FRONT_DOORS)('name only one endpoint for %s', (frontDoor) => {
    const names = Object.keys(templateOf({ frontDoor }).toJSON().Outputs);
    expect(names.filter((name) => name.includes('Endpoint'))).toEqual(['Endpoint']);
  });

  test('name the cluster', () => {
    templateOf({ clusterId: 'blue' }).hasOutput('ClusterId', { Value: 'blue' });
  });
});
